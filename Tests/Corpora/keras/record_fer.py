#!/usr/bin/env python3
"""Records in fer.npz what tf-keras answers for the model fer-emotion on seeded inputs.

  record_fer.py .cache/models/fer-emotion.hdf5

Needs tensorflow-cpu==2.21.0 and tf-keras==2.21.0; tests need neither.
"""
import os
import sys

os.environ.update(TF_USE_LEGACY_KERAS="1", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")

if __name__ == "__main__":
    import numpy as np
    import tf_keras

    model = tf_keras.models.load_model(sys.argv[1], compile=False)
    x = np.random.default_rng(3).uniform(-1, 1, (2, *model.input_shape[1:])).astype("float32")
    record = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fer.npz")
    np.savez_compressed(record, in_0=x, out_0=model(x, training=False).numpy())

#!/usr/bin/env python3
"""Draws the graphs of dynamic/shapes.py into .cache/shapes, and what onnxruntime answers them at several sizes.

NAME.onnx and NAME.RUN.npz, inputs and outputs by name. What is up to date is left alone.
"""
import os

import numpy as np
import onnx
import onnxruntime

from corpora import CACHE, HERE, make
from dynamic.shapes import Drawn

FOLDER = os.path.join(CACHE, "shapes")
COUNT = 48
SIZES = [(1, 3, 8, 8), (2, 3, 5, 12), (1, 3, 1, 7), (2, 3, 13, 1)]


def write(number):
    name = f"shapes_{number:02}"
    model = Drawn(name, number).graph().model()
    onnx.save(model, os.path.join(FOLDER, f"{name}.onnx"))
    options = onnxruntime.SessionOptions()
    (options.log_severity_level, options.intra_op_num_threads) = (3, 1)
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    for run, size in enumerate(SIZES):
        x = np.random.default_rng([number, run]).standard_normal(size, dtype=np.float32)
        np.savez(os.path.join(FOLDER, f"{name}.{run}.npz"), x=x, **dict(zip(names, session.run(names, {"x": x}))))


def main():
    sources = [__file__] + [os.path.join(HERE, "dynamic", name) for name in ("graph.py", "shapes.py")]
    versions = [onnx.__version__, onnxruntime.__version__, np.__version__]
    if make(FOLDER, sources, versions, lambda: [write(number) for number in range(COUNT)]):
        print(f"drew {COUNT} graphs in {FOLDER}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes small Keras models that were compiled, with examples and what Keras makes of them.

  make_training.py k2|k3 OUT     one dialect, into the folder OUT/k2 or OUT/k3
  make_training.py pack OUT      OUT/k2 and OUT/k3 as the archive training.zip beside this script

Needs what make_models.py needs. A model NAME is NAME.h5, NAME.keras, before training; NAME.npz, its input 'x' and
'target'; NAME.after.npz, weights after steps of BATCH examples, by 'layer.weight'; and NAME.json: the losses of these
steps, the weights among them that do not learn, and further options of 'mlc update' that train as Keras does.
"""
import json
import os
import sys

from make_models import pack, randomize, start

BATCH, STEPS = 4, 6


def models(keras, dialect, np):
    """Name, model, examples, targets, what compile is given, options."""
    layers, losses, optimizers = keras.layers, keras.losses, keras.optimizers
    count = BATCH * STEPS
    random = np.random.default_rng(5)

    def floats(*shape):
        return random.normal(0, 1, (count, *shape)).astype("float32")

    labels, bits = random.integers(0, 3, count), random.integers(0, 2, (count, 3)).astype("float32")
    classes = np.eye(3, dtype="float32")[labels]
    vectors = floats(5)
    cases = []

    def add(name, model, x, target, *options, **compiled):
        model.compile(**compiled)
        cases.append((name, model, x, target, list(options)))

    def frozen(layer):
        layer.trainable = False
        return layer

    def chain(x, *parts):
        return keras.Sequential([keras.Input(x.shape[1:], dtype=str(x.dtype), name="x"), *parts])

    def dense(activation, first=True):
        hidden = layers.Dense(6, "tanh")
        return chain(vectors, hidden if first else frozen(hidden), layers.Dense(3, activation))

    add("sgd_mse", dense(None, False), vectors, floats(3), optimizer=optimizers.SGD(0.05), loss="mse")
    add("momentum_classes", dense("softmax"), vectors, classes, optimizer=optimizers.SGD(0.1, momentum=0.9),
        loss="categorical_crossentropy")
    add("decay_sparse", dense("softmax"), vectors, labels, optimizer=optimizers.SGD(0.1, weight_decay=0.2),
        loss="sparse_categorical_crossentropy")
    add("adam_logits", dense(None), vectors, classes, optimizer="adam",
        loss=losses.CategoricalCrossentropy(from_logits=True))
    add("adam_sparse_logits", dense(None, False), vectors, labels,
        optimizer=optimizers.Adam(0.02, beta_1=0.8, beta_2=0.95, epsilon=1e-2, weight_decay=0.3),
        loss=losses.SparseCategoricalCrossentropy(from_logits=True))
    add("adamw_binary", dense("sigmoid"), vectors, bits, optimizer=optimizers.AdamW(0.02, weight_decay=0.3),
        loss="binary_crossentropy")
    add("clipped_binary_logits", dense(None), vectors, bits, optimizer=optimizers.SGD(0.5, global_clipnorm=0.2),
        loss=losses.BinaryCrossentropy(from_logits=True))
    add("logits_of_softmax", dense("softmax"), vectors, classes, optimizer=optimizers.SGD(0.1),
        loss=losses.CategoricalCrossentropy(from_logits=True))

    images = floats(6, 6, 2)
    inner = chain(images, layers.Conv2D(3, 3, activation="relu"), frozen(layers.Conv2D(4, 2)), layers.Flatten())
    whole = frozen(chain(floats(4), layers.Dense(4, "tanh"), layers.BatchNormalization()))
    begin = keras.Input((6, 6, 2), name="x")
    middle = layers.Dense(4)(inner(begin))
    outputs = [layers.Dense(2, name="first")(whole(middle)), frozen(layers.Dense(1, name="second"))(middle)]
    # Keras 3 wants an entry for each output.
    first = losses.MeanSquaredError()
    add("nested", keras.Model(begin, outputs), images, floats(2), optimizer=optimizers.SGD(0.02),
        loss={"first": first} if dialect == "k2" else [first, None])
    # Keras 2 norms pictures by a kernel of TensorFlow's, whose running variance is unbiased.
    add("norms", chain(images, layers.Conv2D(3, 3, use_bias=False), layers.BatchNormalization(), layers.ReLU(),
                       layers.Flatten(), frozen(layers.BatchNormalization()), layers.Dense(3, "softmax")),
        images, labels, "--batch-statistics", "unbiased" if dialect == "k2" else "biased", "--norm-momentum", "0.99",
        optimizer=optimizers.SGD(0.02, momentum=0.5), loss=losses.sparse_categorical_crossentropy)
    tokens = random.integers(1, 9, (count, 5)).astype("int32")
    add("recurrent", chain(tokens, frozen(layers.Embedding(9, 4)),
                           layers.Bidirectional(layers.LSTM(3, return_sequences=True)), layers.GRU(4),
                           layers.Dense(3, "softmax")),
        tokens, labels, optimizer=optimizers.Adam(0.01), loss="sparse_categorical_crossentropy")
    steps = floats(4, 6)
    begin = keras.Input((4, 6), name="x")
    # A bias of keys has no gradient, and Adam would make steps of what is rounded.
    seen = layers.MultiHeadAttention(2, 3, use_bias=False)(begin, begin)
    mean = layers.GlobalAveragePooling1D()(frozen(layers.TimeDistributed(layers.Dense(5)))(seen))
    add("attention", keras.Model(begin, layers.Dense(3)(layers.LayerNormalization()(mean))), steps, floats(3),
        optimizer=optimizers.Adam(0.01), loss="mean_squared_error")
    return cases


def weights(model, outer=""):
    """Weights with their names, 'encoder/dense.kernel', but for those that packages hold laid out otherwise."""
    for layer in model.layers:
        path = outer + layer.name
        if hasattr(layer, "layers"):
            yield from weights(layer, f"{path}/")
            continue
        if type(layer).__name__ in ("Bidirectional", "GRU"):
            continue
        for weight in layer.weights:
            if len(weight.shape) == 4:
                continue
            leaves = getattr(weight, "path", weight.name).split(":")[0].split("/")
            inner = f"/{layer.layer.name}" if type(layer).__name__ == "TimeDistributed" else ""
            part = f"{leaves[-2]}_" if leaves[-2] in ("query", "key", "value", "attention_output") else ""
            yield f"{path}{inner}.{part.replace('attention_', '')}{leaves[-1]}", weight


def make(dialect, folder):
    keras = start(dialect)
    import numpy as np

    out = os.path.join(folder, dialect)
    os.makedirs(out, exist_ok=True)
    for name, model, x, target, options in models(keras, dialect, np):
        randomize(model, np.random.default_rng(sum(map(ord, name))), np)
        # Keras 3 forgets the optimizer as it writes HDF5.
        for suffix in (".keras", ".h5"):
            model.save(f"{out}/{name}{suffix}")
        history = []
        for place in range(0, BATCH * STEPS, BATCH):
            model.reset_metrics()
            batch = slice(place, place + BATCH)
            given = [target[batch], np.zeros((BATCH, 1))] if len(model.outputs) > 1 else target[batch]
            history.append(float(np.ravel(model.train_on_batch(x[batch], given))[0]))
        learning = {id(weight) for weight in model.trainable_weights}
        after = dict(weights(model))
        np.savez_compressed(f"{out}/{name}.npz", x=x, target=target)
        np.savez_compressed(f"{out}/{name}.after.npz", **{key: np.array(weight) for key, weight in after.items()})
        record = {"loss": history, "options": options,
                  "fixed": [key for key, weight in after.items() if id(weight) not in learning]}
        with open(f"{out}/{name}.json", "w", encoding="utf-8") as file:
            json.dump(record, file)
        print(dialect, name, history)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("k2", "k3", "pack"):
        sys.exit(__doc__)
    pack(sys.argv[2], "training.zip") if sys.argv[1] == "pack" else make(*sys.argv[1:])

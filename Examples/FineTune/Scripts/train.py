#!/usr/bin/env python3
"""Trains Sources/FineTune/Digits.mlmodel, an updatable network that reads digits, and writes HeldOut.csv beside it.

The digits are those of scikit-learn: 1797 of the "Optical Recognition of Handwritten Digits" of the UCI repository, by
E. Alpaydin and C. Kaynak (CC BY 4.0), 8 × 8 counts from 0 to 16. The last 360 are never trained on.

Needs jax, scikit-learn, coremltools and numpy:
pip install jax==0.10.2 scikit-learn==1.9.1 coremltools==9.0 numpy==2.4.6.
The weights are the same each time on one kind of machine.
"""
import os
import sys

import coremltools as ct
import jax
import numpy as np
from coremltools.models import datatypes
from coremltools.models.neural_network import AdamParams, NeuralNetworkBuilder
from jax import numpy as jnp
from sklearn.datasets import load_digits

WIDTHS, DIGITS, HELD_OUT = [1, 16, 32], 10, 360
EPOCHS, BATCH, RATE = 30, 32, 2e-3
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "Sources", "FineTune")


def logits(weights, counts):
    value = counts[:, None] / 16
    for kernel, bias in weights[:-1]:
        value = jax.lax.conv_general_dilated(value, kernel, (1, 1), "SAME") + bias[:, None, None]
        value = jax.nn.relu(value)
    value = jax.lax.reduce_window(value, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    matrix, bias = weights[-1]
    return value.reshape(len(value), -1) @ matrix.T + bias


def loss(weights, counts, digits):
    chances = jax.nn.log_softmax(logits(weights, counts))
    return -chances[jnp.arange(len(digits)), digits].mean()


@jax.jit
def step(weights, means, squares, number, counts, digits):
    """Adam's."""
    slopes = jax.grad(loss)(weights, counts, digits)
    means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, slopes)
    squares = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, squares, slopes)

    def moved(w, m, s):
        return w - RATE * (m / (1 - 0.9**number)) / (jnp.sqrt(s / (1 - 0.999**number)) + 1e-8)

    return jax.tree.map(moved, weights, means, squares), means, squares


def train(counts, digits):
    random = np.random.default_rng(5)
    weights = [
        (random.normal(0, np.sqrt(2 / (9 * a)), (b, a, 3, 3)), np.zeros(b)) for a, b in zip(WIDTHS, WIDTHS[1:])
    ]
    inputs = WIDTHS[-1] * 16
    weights.append((random.normal(0, np.sqrt(1 / inputs), (DIGITS, inputs)), np.zeros(DIGITS)))
    weights = jax.tree.map(lambda value: jnp.asarray(value, jnp.float32), weights)
    means = squares = jax.tree.map(jnp.zeros_like, weights)
    number = 0
    for _ in range(EPOCHS):
        order = random.permutation(len(counts))
        for first in range(0, len(order) - BATCH + 1, BATCH):
            number += 1
            part = order[first : first + BATCH]
            weights, means, squares = step(weights, means, squares, float(number), counts[part], digits[part])
    return jax.tree.map(np.asarray, weights)


def save(weights):
    builder = NeuralNetworkBuilder(
        [("counts", datatypes.Array(1, 8, 8))], [("probabilities", datatypes.Array(DIGITS))], "classifier"
    )
    builder.add_activation("scale", "LINEAR", "counts", "scaled", [1 / 16, 0])
    value = "scaled"
    for number, (kernel, bias) in enumerate(weights[:-1]):
        outputs, inputs = kernel.shape[:2]
        builder.add_convolution(
            f"conv{number}", inputs, outputs, 3, 3, 1, 1, "same", 1, kernel.transpose(2, 3, 1, 0), bias, True,
            input_name=value, output_name=f"sum{number}",
        )
        builder.add_activation(f"relu{number}", "RELU", f"sum{number}", f"active{number}")
        value = f"active{number}"
    matrix, bias = weights[-1]
    builder.add_pooling("pool", 2, 2, 2, 2, "MAX", "VALID", value, "pooled")
    builder.add_flatten("flat", 0, "pooled", "flat")
    builder.add_inner_product("dense", matrix, bias, matrix.shape[1], DIGITS, True, "flat", "logits")
    builder.add_softmax("softmax", "logits", "probabilities")
    builder.set_class_labels(list(range(DIGITS)), "digit", "probabilities")
    builder.make_updatable([f"conv{number}" for number in range(len(weights) - 1)] + ["dense"])
    builder.set_categorical_cross_entropy_loss("loss", "probabilities")
    builder.set_adam_optimizer(AdamParams(lr=3e-4, batch=10, beta1=0.9, beta2=0.999, eps=1e-8))
    builder.set_epochs(10, set(range(1, 101)))
    builder.spec.description.metadata.shortDescription = "Reads a digit of 8 × 8 counts of ink, 0 to 16."
    ct.utils.save_spec(builder.spec, os.path.join(FOLDER, "Digits.mlmodel"))


def main():
    data = load_digits()
    counts, digits = data.images.astype(np.float32), data.target
    weights = train(counts[:-HELD_OUT], digits[:-HELD_OUT])
    right = (np.argmax(logits(weights, counts[-HELD_OUT:]), 1) == digits[-HELD_OUT:]).mean()
    print(f"{100 * right:.1f} % of {HELD_OUT} digits that were held out are right", file=sys.stderr)
    save(weights)
    with open(os.path.join(FOLDER, "HeldOut.csv"), "w") as file:
        for picture, digit in zip(data.data[-HELD_OUT:].astype(int), digits[-HELD_OUT:]):
            print(*picture, digit, sep=",", file=file)


if __name__ == "__main__":
    main()

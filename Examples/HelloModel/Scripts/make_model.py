#!/usr/bin/env python3
"""Trains Sources/HelloModel/Sine.onnx: a network of two hidden layers that learned the sine on 0 … 2π.

Needs numpy and onnx. The result is the same each time.
"""
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH, STEPS, RATE = 16, 20000, 0.01
OUTPUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Sources", "HelloModel", "Sine.onnx")


def train():
    """Weights by Adam, full batch, float64."""
    random = np.random.default_rng(7)
    sizes = [1, WIDTH, WIDTH, 1]
    weights = [random.normal(0, 1 / np.sqrt(a), (a, b)) for a, b in zip(sizes, sizes[1:])]
    biases = [np.zeros(b) for b in sizes[1:]]
    parameters = weights + biases
    means = [np.zeros_like(p) for p in parameters]
    squares = [np.zeros_like(p) for p in parameters]
    x = np.linspace(0, 2 * np.pi, 256)[:, None]
    wanted = np.sin(x)
    for step in range(1, STEPS + 1):
        layers = [x / np.pi - 1]
        for index, (weight, bias) in enumerate(zip(weights, biases)):
            value = layers[-1] @ weight + bias
            layers.append(np.tanh(value) if index < 2 else value)
        gradient = 2 * (layers[-1] - wanted) / len(x)
        gradients = [None] * 6
        for index in (2, 1, 0):
            gradients[index] = layers[index].T @ gradient
            gradients[3 + index] = gradient.sum(0)
            gradient = gradient @ weights[index].T * (1 - layers[index] ** 2)
        rate = RATE * (1 - step / STEPS)
        for p, g, m, s in zip(parameters, gradients, means, squares):
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            p -= rate * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)
    # The scaling of the angle becomes part of the first layer.
    biases[0] -= weights[0].sum(0)
    weights[0] /= np.pi
    return weights, biases


def main():
    weights, biases = train()
    nodes, constants, value = [], [], "angle"
    for index, (weight, bias) in enumerate(zip(weights, biases)):
        constants.append(numpy_helper.from_array(weight.astype(np.float32), f"weight{index}"))
        constants.append(numpy_helper.from_array(bias.astype(np.float32), f"bias{index}"))
        result = "sine" if index == 2 else f"layer{index}"
        nodes.append(helper.make_node("Gemm", [value, f"weight{index}", f"bias{index}"], [result], f"Dense_{index}"))
        if index < 2:
            nodes.append(helper.make_node("Tanh", [result], [f"active{index}"], f"Tanh_{index}"))
        value = f"active{index}"
    graph = helper.make_graph(
        nodes,
        "sine",
        [helper.make_tensor_value_info("angle", TensorProto.FLOAT, ["count", 1])],
        [helper.make_tensor_value_info("sine", TensorProto.FLOAT, ["count", 1])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="make_model")
    helper.set_model_props(model, {"description": "Knows the sine of angles from 0 to 2π, in radians."})
    onnx.checker.check_model(model)
    onnx.save(model, OUTPUT)
    print(OUTPUT)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes one small network in several formats, examples for each loss, and NumPy's losses of steps of training, into
Fixtures/training/sources: network.onnx, network.h5, network.mlmodel, network.mlpackage, LOSS.npz, losses.json.

Needs what Tests/requirements.txt lists, and h5py==3.14.0. Equal versions give equal numbers.
"""
import json
import os

import coremltools as ct
import h5py
import numpy as np
import onnx
from coremltools.converters.mil import Builder as mb
from coremltools.models import datatypes, neural_network
from onnx import TensorProto, helper, numpy_helper

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Fixtures/training/sources")
BATCH, STEPS, SIZES = 4, 6, (5, 4, 3)
NAMES = ["hidden_kernel", "hidden_bias", "scores_kernel", "scores_bias"]
OPTIMIZERS = {
    "sgd": {"learning-rate": 0.1, "momentum": 0.9},
    "adam": {"learning-rate": 0.02, "beta1": 0.8, "beta2": 0.95},
    "adamw": {"learning-rate": 0.02, "weight-decay": 0.5, "eps": 1e-3},
}


def onnx_model(weights):
    nodes = [
        helper.make_node("Gemm", ["x", NAMES[0], NAMES[1]], ["a"], name="hidden"),
        helper.make_node("Tanh", ["a"], ["b"], name="tanh"),
        helper.make_node("Gemm", ["b", NAMES[2], NAMES[3]], ["y"], name="scores"),
    ]
    ports = [[helper.make_tensor_value_info(n, TensorProto.FLOAT, ["batch", s])] for n, s in (("x", 5), ("y", 3))]
    graph = helper.make_graph(nodes, "network", *ports, [numpy_helper.from_array(w, n) for n, w in zip(NAMES, weights)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, f"{OUT}/network.onnx")


def keras_model(weights):
    """As Keras 3 writes it: the first layer does not learn, and the loss takes probabilities, which y are none."""
    start = {"class_name": "InputLayer", "config": {"name": "x", "batch_shape": [None, 5], "dtype": "float32"}}
    parts = [("hidden", 4, "tanh"), ("scores", 3, "linear")]
    dense = [{"class_name": "Dense", "config": {"name": n, "units": u, "activation": a, "trainable": n == "scores"}}
             for n, u, a in parts]
    config = {"class_name": "Sequential", "config": {"name": "network", "layers": [start, *dense]}}
    optimizer = {"class_name": "SGD", "config": {"learning_rate": 0.1, "momentum": 0.9, "nesterov": False}}
    training = {"loss": "sparse_categorical_crossentropy", "optimizer_config": optimizer}
    with h5py.File(f"{OUT}/network.h5", "w") as file:
        file.attrs.update({"model_config": json.dumps(config), "keras_version": "3.15.1", "backend": "tensorflow"})
        file.attrs["training_config"] = json.dumps(training)
        for place, (name, _, _) in enumerate(parts):
            group = file.create_group(f"model_weights/{name}")
            group.attrs["weight_names"] = [b"kernel", b"bias"]
            for key, weight in zip(("kernel", "bias"), weights[2 * place:]):
                group.create_dataset(key, data=weight)


def network(weights):
    """A neural network of Core ML, of batches of one size."""
    builder = neural_network.NeuralNetworkBuilder(
        [("x", datatypes.Array(BATCH, 5))], [("y", datatypes.Array(BATCH, 3))], disable_rank5_shape_mapping=True)
    builder.add_inner_product("hidden", weights[0].T, weights[1], 5, 4, True, "x", "a")
    builder.add_activation("tanh", "TANH", "a", "b")
    builder.add_inner_product("scores", weights[2].T, weights[3], 4, 3, True, "b", "y")
    ct.models.utils.save_spec(builder.spec, f"{OUT}/network.mlmodel")


def program(weights):
    """An ML program."""
    @mb.program(input_specs=[mb.TensorSpec((BATCH, 5))])
    def made(x):
        hidden = mb.tanh(x=mb.linear(x=x, weight=weights[0].T, bias=weights[1]))
        return mb.linear(x=hidden, weight=weights[2].T, bias=weights[3], name="y")

    model = ct.convert(made, compute_precision=ct.precision.FLOAT32, minimum_deployment_target=ct.target.iOS16)
    model.save(f"{OUT}/network.mlpackage")


def softmax(y):
    powers = np.exp(y - y.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def loss(kind, y, target):
    """The loss, and its derivative by the scores y."""
    if kind == "mse":
        return ((y - target) ** 2).mean(), 2 * (y - target) / y.size
    if kind == "binary-cross-entropy":
        p = 1 / (1 + np.exp(-y))
        return -(target * np.log(p) + (1 - target) * np.log(1 - p)).mean(), (p - target) / y.size
    p, chosen = softmax(y), np.eye(3)[target]
    return -(chosen * np.log(p)).sum(axis=1).mean(), (p - chosen) / len(y)


def step(optimizer, number, weights, gradients, moments):
    options = OPTIMIZERS[optimizer]
    rate = options["learning-rate"]
    for place, gradient in enumerate(gradients):
        first, second = moments[place]
        if optimizer == "sgd":
            first = options["momentum"] * first + gradient
            change = rate * first
        else:
            b1, b2, eps = options.get("beta1", 0.9), options.get("beta2", 0.999), options.get("eps", 1e-8)
            first, second = b1 * first + (1 - b1) * gradient, b2 * second + (1 - b2) * gradient ** 2
            scale = np.sqrt(second / (1 - b2 ** number)) + eps
            change = rate * (first / (1 - b1 ** number) / scale + options.get("weight-decay", 0) * weights[place])
        moments[place] = first, second
        weights[place] = weights[place] - change


def losses(kind, optimizer, weights, x, target):
    weights, moments, found = [w.astype(float) for w in weights], [(0.0, 0.0)] * 4, []
    for place in range(0, BATCH * STEPS, BATCH):
        given, wanted = x[place:place + BATCH].astype(float), target[place:place + BATCH]
        hidden = np.tanh(given @ weights[0] + weights[1])
        value, slope = loss(kind, hidden @ weights[2] + weights[3], wanted)
        inner = slope @ weights[2].T * (1 - hidden ** 2)
        gradients = [given.T @ inner, inner.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]
        step(optimizer, place // BATCH + 1, weights, gradients, moments)
        found.append(float(value))
    return found


def main():
    os.makedirs(OUT, exist_ok=True)
    random = np.random.default_rng(11)
    shapes = [(5, 4), (4,), (4, 3), (3,)]
    weights = [random.normal(0, 0.5, shape).astype(np.float32) for shape in shapes]
    for write in (onnx_model, keras_model, network, program):
        write(weights)
    count = BATCH * STEPS
    x = random.normal(0, 1, (count, 5)).astype(np.float32)
    targets = {
        "mse": random.normal(0, 1, (count, 3)).astype(np.float32),
        "binary-cross-entropy": random.random((count, 3)).astype(np.float32),
        "cross-entropy": random.integers(0, 3, count),
    }
    found = []
    for kind, target in targets.items():
        np.savez(f"{OUT}/{kind}.npz", x=x, target=target)
        for name, settings in OPTIMIZERS.items():
            options = ["--loss", kind, "--optimizer", name]
            options += [text for key, value in settings.items() for text in (f"--{key}", str(value))]
            found.append({"data": f"{kind}.npz", "options": options,
                          "loss": losses(kind, name, weights, x, target)})
    with open(f"{OUT}/losses.json", "w", encoding="utf-8") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main()

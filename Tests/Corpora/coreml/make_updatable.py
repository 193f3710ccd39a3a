"""Writes updatable.zip: Core ML networks that say how they are updated, NAME.mlmodel, each with NAME.json: examples, the losses of
each epoch, and the weights at the end.

coremltools makes the models; losses and weights are numpy's, in double precision, from forward and backward passes of its own.
The examples come in their order, without shuffling. Needs coremltools 9.

usage: make_updatable.py
"""

import functools
import json
import pathlib
import zipfile

import coremltools
import numpy as np
from coremltools.models import datatypes
from coremltools.models.neural_network import AdamParams, NeuralNetworkBuilder, SgdParams

import updatable_pipelines

random = np.random.RandomState(7)
archive = {}


def normal(scale, *shape):
    """Numbers that float32 has."""
    return random.normal(0, scale, shape).astype(np.float32).astype(np.float64)


class Linear:
    """y = W·x + b of all elements of x."""

    def __init__(self, name, columns, rows, updatable=True):
        self.name, self.updatable = name, updatable
        self.values = [normal(0.5, rows, columns), normal(0.1, rows)]

    def add(self, builder, source, target):
        weight, bias = self.values
        rows, columns = weight.shape
        builder.add_inner_product(self.name, weight.astype(np.float32), bias.astype(np.float32), columns, rows, True, source, target)

    def forward(self, x):
        self.x = x
        return self.values[0] @ x.ravel() + self.values[1]

    def backward(self, slope):
        self.slopes = [np.outer(slope, self.x.ravel()), slope]
        return (self.values[0].T @ slope).reshape(self.x.shape)


class Conv:
    """A convolution of 3 × 3 whose result is as large as x: [C, H, W]."""

    def __init__(self, name, channels, kernels, updatable=True):
        self.name, self.updatable = name, updatable
        self.values = [normal(0.4, kernels, channels, 3, 3), normal(0.1, kernels)]

    def add(self, builder, source, target):
        weight, bias = self.values
        kernels, channels = weight.shape[:2]
        builder.add_convolution(
            self.name, channels, kernels, 3, 3, 1, 1, "same", 1, weight.transpose(2, 3, 1, 0).astype(np.float32),
            bias.astype(np.float32), True, False, None, source, target,
        )

    def forward(self, x):
        self.x = np.pad(x, ((0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(self.x, (3, 3), (1, 2))
        return np.einsum("chwij,kcij->khw", windows, self.values[0]) + self.values[1][:, None, None]

    def backward(self, slope):
        windows = np.lib.stride_tricks.sliding_window_view(self.x, (3, 3), (1, 2))
        self.slopes = [np.einsum("khw,chwij->kcij", slope, windows), slope.sum((1, 2))]
        padded = np.zeros_like(self.x)
        for i in range(3):
            for j in range(3):
                padded[:, i : i + slope.shape[1], j : j + slope.shape[2]] += np.einsum(
                    "khw,kc->chw", slope, self.values[0][:, :, i, j]
                )
        return padded[:, 1:-1, 1:-1]


class Pool:
    """The greatest of each 2 × 2."""

    updatable, values = False, []

    def __init__(self, name):
        self.name = name

    def add(self, builder, source, target):
        builder.add_pooling(self.name, 2, 2, 2, 2, "MAX", "VALID", source, target)

    def forward(self, x):
        self.shape = x.shape
        c, h, w = x.shape
        blocks = x.reshape(c, h // 2, 2, w // 2, 2).transpose(0, 1, 3, 2, 4).reshape(c, h // 2, w // 2, 4)
        self.place = blocks.argmax(-1)
        return blocks.max(-1)

    def backward(self, slope):
        c, h, w = self.shape
        blocks = np.zeros((c, h // 2, w // 2, 4))
        np.put_along_axis(blocks, self.place[..., None], slope[..., None], -1)
        return blocks.reshape(c, h // 2, w // 2, 2, 2).transpose(0, 1, 3, 2, 4).reshape(self.shape)


class Activation:
    updatable, values = False, []
    functions = {
        "RELU": (lambda x: np.maximum(x, 0), lambda x, y: x > 0),
        "TANH": (np.tanh, lambda x, y: 1 - y * y),
        "SIGMOID": (lambda x: 1 / (1 + np.exp(-x)), lambda x, y: y * (1 - y)),
        "LEAKYRELU": (lambda x: np.where(x > 0, x, 0.3 * x), lambda x, y: np.where(x > 0, 1, 0.3)),
    }

    def __init__(self, name, kind):
        self.name, self.kind = name, kind

    def add(self, builder, source, target):
        builder.add_activation(self.name, self.kind, source, target, *([[0.3]] if self.kind == "LEAKYRELU" else []))

    def forward(self, x):
        self.x, self.y = x, self.functions[self.kind][0](x)
        return self.y

    def backward(self, slope):
        return slope * self.functions[self.kind][1](self.x, self.y)


class Scale:
    """A batch norm that is not updated: x·a + b for each channel."""

    updatable, values = False, []

    def __init__(self, name, channels):
        self.name = name
        self.gamma, self.beta, self.mean = (normal(1, channels) for _ in range(3))
        self.variance = np.float32(1 + normal(0.5, channels) ** 2).astype(np.float64)

    def add(self, builder, source, target):
        builder.add_batchnorm(
            self.name, len(self.gamma), self.gamma.astype(np.float32), self.beta.astype(np.float32),
            self.mean.astype(np.float32), self.variance.astype(np.float32), source, target, epsilon=1e-5,
        )

    def forward(self, x):
        self.factor = (self.gamma / np.sqrt(self.variance + 1e-5))[:, None, None]
        return (x - self.mean[:, None, None]) * self.factor + self.beta[:, None, None]

    def backward(self, slope):
        return slope * self.factor


class Preprocessing:
    """What a network does first with a picture: x·scale + bias for each channel."""

    updatable, values = False, []
    scale, biases = 1 / 128, (-1.0, -0.5, 0.25)

    def set(self, builder):
        red, green, blue = self.biases
        builder.set_pre_processing_parameters(["x"], False, red, green, blue, image_scale=self.scale)

    def forward(self, x):
        return x * self.scale + np.array(self.biases)[:, None, None]

    def backward(self, slope):
        return slope * self.scale


def losses(layers, examples, targets, isClasses, optimizer, batch, epochs):
    """The mean loss of each epoch; the layers' weights are those at the end."""
    moments, steps, means = {}, 0, []
    trained = [layer for layer in layers if layer.updatable]
    for _ in range(epochs):
        total = 0
        for first in range(0, len(examples), batch):
            sums = [[np.zeros_like(v) for v in layer.values] for layer in trained]
            part = range(first, min(first + batch, len(examples)))
            for k in part:
                x = examples[k].astype(np.float64)
                for layer in layers:
                    x = layer.forward(x)
                if isClasses:
                    p = np.exp(x - x.max())
                    p /= p.sum()
                    total -= np.log(p[targets[k]])
                    slope = p
                    slope[targets[k]] -= 1
                else:
                    total += np.mean((x - targets[k]) ** 2)
                    slope = 2 * (x - targets[k]) / x.size
                for layer in reversed(layers):
                    slope = layer.backward(slope)
                for layer, s in zip(trained, sums):
                    for own, g in zip(s, layer.slopes):
                        own += g
            steps += 1
            for layer, s in zip(trained, sums):
                for place, g in enumerate(s):
                    g = g / len(part)
                    key = (layer.name, place)
                    if optimizer["kind"] == "sgd":
                        moments[key] = optimizer["momentum"] * moments.get(key, 0) + g
                        layer.values[place] = layer.values[place] - optimizer["rate"] * moments[key]
                    else:
                        m, v = moments.get(key, (0, 0))
                        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
                        moments[key] = (m, v)
                        m, v = m / (1 - 0.9**steps), v / (1 - 0.999**steps)
                        layer.values[place] = layer.values[place] - optimizer["rate"] * m / (np.sqrt(v) + 1e-8)
        means.append(total / len(examples))
    return means


def add(builder, layers, shape, source, result):
    """Adds the layers, from the blob `source` of this shape to the blob `result`."""
    if isinstance(layers[0], Preprocessing):
        layers[0].set(builder)
        layers = layers[1:]
    for place, layer in enumerate(layers):
        target = f"t{place}" if place + 1 < len(layers) else result
        if isinstance(layer, Linear) and len(shape) == 3 and not any(isinstance(l, Linear) for l in layers[:place]):
            builder.add_flatten("flat", 0, source, "flat")
            source = "flat"
        layer.add(builder, source, target)
        source = target


def network(
    name, shape, layers, count, isClasses, optimizer, batch, epochs, labels=None, exact=False, front=(), classifies=False
):
    """`front` is a network of its own before the updatable one, whose result is `f`, in a pipeline that is a classifier or none."""
    whole = [*front, *layers]
    source, given = ("f", functools.reduce(lambda x, layer: layer.forward(x), front, np.zeros(shape)).shape) if front else ("x", shape)
    width = [l for l in layers if l.values][-1].values[1].size
    mode = "classifier" if labels else None
    builder = NeuralNetworkBuilder(
        [(source, datatypes.Array(*given))], [("p" if isClasses else "y", datatypes.Array(width))], mode,
        disable_rank5_shape_mapping=exact,
    )
    last = f"t{len(layers) - 1}" if isClasses else "y"
    add(builder, layers, given, source, last)
    if isClasses:
        builder.add_softmax("softmax", last, "p")
    if labels:
        builder.set_class_labels(labels, prediction_blob="p")
    builder.make_updatable([layer.name for layer in layers if layer.updatable])
    if isClasses:
        builder.set_categorical_cross_entropy_loss("loss", "p")
    else:
        builder.set_mean_squared_error_loss("loss", ("y", datatypes.Array(width)))
    if optimizer["kind"] == "sgd":
        builder.set_sgd_optimizer(SgdParams(lr=optimizer["rate"], batch=batch, momentum=optimizer["momentum"]))
    else:
        builder.set_adam_optimizer(AdamParams(lr=optimizer["rate"], batch=batch, beta1=0.9, beta2=0.999, eps=1e-8))
    builder.set_epochs(epochs)
    builder.nn_spec.updateParams.shuffle.defaultValue = False
    spec = builder.spec
    target = spec.description.predictedFeatureName if labels else "p_true" if isClasses else "y_true"
    if front:
        frozen = NeuralNetworkBuilder([("x", datatypes.Array(*shape))], [("f", datatypes.Array(*given))])
        add(frozen, front, shape, "x", "f")
        spec = updatable_pipelines.chained([frozen.spec, spec], classifies)
    isPicture = isinstance(whole[0], Preprocessing)
    examples = [random.randint(0, 256, shape) if isPicture else random.normal(0, 1, shape) for _ in range(count)]
    examples = [x.astype(np.float32) for x in examples]
    targets = random.randint(0, width, count) if isClasses else [random.normal(0, 1, width).astype(np.float32) for _ in range(count)]
    means = losses(whole, examples, targets, isClasses, optimizer, batch, epochs)
    archive[f"{name}.mlmodel"] = spec.SerializeToString()
    record = {
        "shape": [1, *shape] if isPicture else list(shape),
        "target": target,
        "examples": [x.ravel().tolist() for x in examples],
        "targets": [labels[t] if labels else int(t) if isClasses else t.tolist() for t in targets],
        "losses": means,
        "weights": {
            layer.name: [value.ravel().tolist() for value in layer.values] for layer in layers if layer.updatable
        },
    }
    archive[f"{name}.json"] = json.dumps(record).encode()


sgd = {"kind": "sgd", "rate": 0.1, "momentum": 0.9}
mild = {"kind": "sgd", "rate": 0.02, "momentum": 0.5}
slow = {"kind": "sgd", "rate": 0.05, "momentum": 0.0}
adam = {"kind": "adam", "rate": 0.01}
network("classes_sgd", (6,), [Linear("a", 6, 10), Activation("r", "RELU"), Linear("b", 10, 4)], 23, True, sgd, 5, 10)
network("numbers_adam", (6,), [Linear("a", 6, 8), Activation("t", "TANH"), Linear("b", 8, 3)], 20, False, adam, 4, 10)
network("last_layer", (6,), [Linear("a", 6, 9, False), Activation("s", "SIGMOID"), Linear("b", 9, 5)], 17, True, slow, 17, 10)
network(
    "picture_labels", (2, 8, 6), [Conv("c", 2, 4), Activation("r", "RELU"), Pool("p2"), Linear("b", 48, 3)], 12, True, mild, 4, 10,
    labels=["cat", "dog", "ünïcode"],
)
network(
    "picture_numbers", (2, 4, 4), [Scale("n", 2), Conv("c", 2, 3), Activation("l", "LEAKYRELU"), Linear("b", 48, 2)], 9, True,
    adam, 3, 10, labels=[7, -3],
)
network("exact", (7,), [Linear("a", 7, 5), Activation("t", "TANH"), Linear("b", 5, 1)], 11, False, mild, 3, 10, exact=True)
network("scaled", (3, 6, 4), [Preprocessing(), Conv("c", 3, 2), Activation("t", "TANH"), Linear("b", 48, 3)], 8, True, slow, 3, 10)
network(
    "pipeline_labels", (2, 8, 6), [Linear("b", 48, 6), Activation("t", "TANH"), Linear("d", 6, 3)], 12, True, mild, 4, 10,
    labels=["cat", "dog", "ünïcode"], front=[Conv("c", 2, 4, False), Activation("r", "RELU"), Pool("p2")], classifies=True,
)
network(
    "pipeline_numbers", (6,), [Linear("a", 9, 5), Activation("r", "RELU"), Linear("b", 5, 2)], 13, False, adam, 4, 10,
    front=[Linear("z", 6, 9, False), Activation("t", "TANH")],
)
network(
    "pipeline_picture", (3, 6, 4), [Linear("b", 12, 3)], 10, True, slow, 4, 10, labels=[7, -3, 0],
    front=[Preprocessing(), Conv("c", 3, 2, False), Activation("l", "LEAKYRELU"), Pool("p2")],
)
network(
    "large", (3, 48, 48),
    [
        Preprocessing(), Conv("c", 3, 8), Activation("r", "RELU"), Pool("p2"), Conv("d", 8, 8), Activation("t", "TANH"), Pool("p4"),
        Linear("b", 1152, 2),
    ], 2, True, {"kind": "sgd", "rate": 2e-4, "momentum": 0.5}, 2, 3,
)

path = pathlib.Path(__file__).with_name("updatable.zip")
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
    for name, data in sorted(archive.items()):
        file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)

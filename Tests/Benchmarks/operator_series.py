"""Graphs of operators by their extents, and which extents `doublings.py` measures them at."""
import dataclasses
import math

import numpy as np
from onnx import helper


@dataclasses.dataclass
class Graph:
    """Nodes from inputs of these shapes to `y`, constants by name, units of work; how often constants are read."""

    nodes: list
    inputs: dict
    work: int
    constants: dict = dataclasses.field(default_factory=dict)
    readings: dict = dataclasses.field(default_factory=dict)


def node(operator, inputs, result="y", **attributes):
    return helper.make_node(operator, inputs.split(" "), [result], **attributes)


def numbers(*shape):
    """Seeded numbers with a variance of one over what an output sums."""
    generator = np.random.Generator(np.random.PCG64(3))
    return (generator.standard_normal(shape) / math.sqrt(max(1, math.prod(shape[1:])))).astype(np.float32)


def conv(batch, channels, height, width, kernel, depthwise=False, stride=1, dilation=1):
    groups = channels if depthwise else 1
    weight = numbers(channels, channels // groups, kernel, kernel)
    attributes = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "dilations": [dilation] * 2, "group": groups}
    attributes["pads"] = [kernel // 2 * dilation] * 4
    work = batch * weight.size * height * width // stride**2
    return Graph([node("Conv", "x w", **attributes)], {"x": (batch, channels, height, width)}, work, {"w": weight})


def matmul(rows, depth, columns):
    return Graph([node("MatMul", "x w")], {"x": (rows, depth)}, rows * depth * columns, {"w": numbers(depth, columns)})


def products(batch, rows, depth, columns):
    """Both matrices are inputs."""
    shapes = {"a": (batch, rows, depth), "b": (batch, depth, columns)}
    return Graph([node("MatMul", "a b")], shapes, batch * rows * depth * columns)


def softmax(rows, width):
    return Graph([node("Softmax", "x", axis=-1)], {"x": (rows, width)}, 2 * rows * width)


def layer_norm(rows, width):
    constants = {"scale": numbers(width), "bias": numbers(width)}
    nodes = [node("LayerNormalization", "x scale bias", axis=-1)]
    return Graph(nodes, {"x": (rows, width)}, 2 * rows * width, constants)


def group_norm(batch, channels, height, width, groups=32):
    """Instance normalisation of groups, scale and shift of channels: as PyTorch exports it."""
    constants = {
        "groups": np.array([0, groups, -1], np.int64), "shape": np.array([batch, channels, height, width], np.int64),
        "ones": np.ones(groups, np.float32), "zeros": np.zeros(groups, np.float32),
        "scale": numbers(channels, 1, 1), "bias": numbers(channels, 1, 1)}
    nodes = [
        node("Reshape", "x groups", "g"), node("InstanceNormalization", "g ones zeros", "n"),
        node("Reshape", "n shape", "r"), node("Mul", "r scale", "m"), node("Add", "m bias")]
    shape = (batch, channels, height, width)
    return Graph(nodes, {"x": shape}, 2 * math.prod(shape), constants)


def recurrent(length, batch, hidden, operator, gates):
    constants = {
        "w": numbers(1, gates * hidden, hidden), "r": numbers(1, gates * hidden, hidden),
        "b": numbers(1, 2 * gates * hidden)}
    nodes = [node(operator, "x w r b", hidden_size=hidden)]
    work = length * batch * 2 * gates * hidden**2
    return Graph(nodes, {"x": (length, batch, hidden)}, work, constants, {"r": length})


def conv_1d(channels, length, kernel):
    weight = numbers(channels, channels, kernel)
    nodes = [node("Conv", "x w", kernel_shape=[kernel], pads=[kernel // 2] * 2)]
    return Graph(nodes, {"x": (1, channels, length)}, weight.size * length, {"w": weight})


def pool(batch, channels, height, width, operator, kernel, stride):
    """Work leaves the size of the window out: a maximum of windows side by side needs no more for wide ones."""
    attributes = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [(kernel - 1) // 2] * 4}
    shape = (batch, channels, height, width)
    return Graph([node(operator, "x", **attributes)], {"x": shape}, math.prod(shape) * (stride**2 + 1) // stride**2)


def resize(batch, channels, height, width, mode):
    nodes = [node("Resize", "x  scales", mode=mode)]
    shape = (batch, channels, height, width)
    return Graph(nodes, {"x": shape}, 5 * math.prod(shape), {"scales": np.float32([1, 1, 2, 2])})


def attention(batch, heads, length, size=64):
    nodes = [
        node("Transpose", "k", "t", perm=[0, 1, 3, 2]), node("MatMul", "q t", "s"), node("Mul", "s scale", "m"),
        node("Softmax", "m", "p", axis=-1), node("MatMul", "p v")]
    shapes = {name: (batch, heads, length, size) for name in "qkv"}
    work = 2 * batch * heads * length**2 * size
    return Graph(nodes, shapes, work, {"scale": np.float32(1 / math.sqrt(size))})


def elementwise(elements, operators):
    """Operators of one input one behind the other, or one of two inputs."""
    if len(operators) == 1 and operators[0] in ("Add", "Mul"):
        return Graph([node(operators[0], "a b")], {"a": (elements,), "b": (elements,)}, 3 * elements)
    names = ["x", *[f"t{place}" for place in range(len(operators) - 1)], "y"]
    nodes = [node(operator, a, b) for operator, a, b in zip(operators, names, names[1:])]
    return Graph(nodes, {"x": (elements,)}, 2 * elements)


def concat(batch, channels, height, width):
    shape = (batch, channels, height, width)
    return Graph([node("Concat", "a b", axis=1)], {"a": shape, "b": shape}, 4 * math.prod(shape))


def transpose(batch, rows, columns):
    shape = (batch, rows, columns)
    return Graph([node("Transpose", "x", perm=[0, 2, 1])], {"x": shape}, 2 * math.prod(shape))


def heads_apart(batch, length, heads, size=64):
    shape = (batch, length, heads, size)
    return Graph([node("Transpose", "x", perm=[0, 2, 1, 3])], {"x": shape}, 2 * math.prod(shape))


def reduction(rows, columns, operator, axis):
    nodes = [node(operator, "x axes", keepdims=0)]
    return Graph(nodes, {"x": (rows, columns)}, rows * columns, {"axes": np.array([axis], np.int64)})


def cumulative(rows, columns, axis):
    constants = {"axis": np.array(axis, np.int64)}
    return Graph([node("CumSum", "x axis")], {"x": (rows, columns)}, 2 * rows * columns, constants)


def top_k(rows, columns, count):
    nodes = [helper.make_node("TopK", ["x", "k"], ["y", "places"])]
    return Graph(nodes, {"x": (rows, columns)}, rows * columns, {"k": np.array([count], np.int64)})


def gather(rows, columns, count):
    """Rows of a table in a seeded order."""
    places = np.random.Generator(np.random.PCG64(3)).integers(0, rows, count)
    return Graph([node("Gather", "x places")], {"x": (rows, columns)}, 2 * count * columns, {"places": places})


def split(rows, columns):
    nodes = [helper.make_node("Split", ["x"], ["y", "z"], axis=1, num_outputs=2)]
    return Graph(nodes, {"x": (rows, columns)}, 2 * rows * columns)


def pad(batch, channels, height, width):
    shape = (batch, channels, height, width)
    constants = {"pads": np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64)}
    return Graph([node("Pad", "x pads")], {"x": shape}, 2 * math.prod(shape), constants)


# Name: the function, what it is given, and how often each extent is doubled.
PICTURE = {"batch": 1, "channels": 32, "height": 28, "width": 56}
LARGER = {"batch": 1, "channels": 64, "height": 28, "width": 56}
OPERATORS = {
    "conv-3x3": (conv, {**PICTURE, "kernel": 3}, {"batch": 4, "channels": 4, "height": 4}),
    "conv-3x3-stride-2": (conv, {**PICTURE, "kernel": 3, "stride": 2}, {"batch": 4, "channels": 4, "height": 4}),
    "conv-3x3-dilated": (conv, {**PICTURE, "channels": 128, "kernel": 3, "dilation": 1}, {"dilation": 4}),
    "depthwise-3x3-dilated": (conv, {**LARGER, "kernel": 3, "depthwise": True, "dilation": 1}, {"dilation": 4}),
    "conv-1x1": (conv, {**LARGER, "kernel": 1}, {"batch": 4, "channels": 4, "height": 4}),
    "depthwise-3x3": (conv, {**LARGER, "kernel": 3, "depthwise": True}, {"batch": 4, "channels": 4, "height": 4}),
    "matmul": (matmul, {"rows": 32, "depth": 128, "columns": 128}, {"rows": 5, "depth": 5, "columns": 5}),
    "vector-matrix": (matmul, {"rows": 1, "depth": 256, "columns": 256}, {"rows": 6, "depth": 4, "columns": 4}),
    "products": (products, {"batch": 1, "rows": 64, "depth": 64, "columns": 64},
                 {"batch": 5, "rows": 5, "depth": 5, "columns": 5}),
    "softmax": (softmax, {"rows": 64, "width": 128}, {"rows": 5, "width": 6}),
    "layer-norm": (layer_norm, {"rows": 64, "width": 128}, {"rows": 5, "width": 6}),
    "group-norm": (group_norm, LARGER, {"batch": 4, "channels": 4, "height": 4}),
    "lstm": (recurrent, {"length": 16, "batch": 1, "hidden": 128, "operator": "LSTM", "gates": 4},
             {"length": 5, "batch": 6, "hidden": 3}),
    "gru": (recurrent, {"length": 16, "batch": 1, "hidden": 128, "operator": "GRU", "gates": 3},
            {"length": 5, "batch": 6, "hidden": 3}),
    "max-pool-3x3-stride-2": (pool, {**LARGER, "operator": "MaxPool", "kernel": 3, "stride": 2},
                              {"batch": 4, "channels": 4, "height": 4}),
    "average-pool-3x3": (pool, {**LARGER, "operator": "AveragePool", "kernel": 3, "stride": 1},
                         {"batch": 4, "channels": 4, "height": 4}),
    "resize-linear": (resize, {**PICTURE, "mode": "linear"}, {"batch": 4, "channels": 4, "height": 4}),
    "resize-nearest": (resize, {**PICTURE, "mode": "nearest"}, {"batch": 4, "channels": 4, "height": 4}),
    "attention": (attention, {"batch": 1, "heads": 2, "length": 64}, {"batch": 4, "heads": 4, "length": 5}),
    "add": (elementwise, {"elements": 16384, "operators": ("Add",)}, {"elements": 7}),
    "tanh": (elementwise, {"elements": 16384, "operators": ("Tanh",)}, {"elements": 7}),
    "exp-neg-abs-sqrt": (elementwise, {"elements": 16384, "operators": ("Abs", "Sqrt", "Neg", "Exp")}, {"elements": 7}),
    "concat": (concat, PICTURE, {"batch": 4, "channels": 4, "height": 4}),
    "transpose": (transpose, {"batch": 1, "rows": 128, "columns": 128}, {"batch": 4, "rows": 5, "columns": 5}),
    "heads-apart": (heads_apart, {"batch": 1, "length": 64, "heads": 4}, {"batch": 4, "length": 5, "heads": 4}),
    "sum-last-axis": (reduction, {"rows": 64, "columns": 128, "operator": "ReduceSum", "axis": 1},
                      {"rows": 6, "columns": 6}),
    "sum-first-axis": (reduction, {"rows": 64, "columns": 128, "operator": "ReduceSum", "axis": 0},
                       {"rows": 6, "columns": 6}),
    "max-last-axis": (reduction, {"rows": 64, "columns": 128, "operator": "ReduceMax", "axis": 1},
                      {"rows": 6, "columns": 6}),
    "max-first-axis": (reduction, {"rows": 64, "columns": 128, "operator": "ReduceMax", "axis": 0},
                       {"rows": 6, "columns": 6}),
    "conv-1d": (conv_1d, {"channels": 32, "length": 1024, "kernel": 3}, {"channels": 4, "length": 6, "kernel": 3}),
    "max-pool": (pool, {**LARGER, "operator": "MaxPool", "kernel": 3, "stride": 1}, {"kernel": 3}),
    "cumulative-last-axis": (cumulative, {"rows": 64, "columns": 128, "axis": 1}, {"rows": 5, "columns": 5}),
    "cumulative-first-axis": (cumulative, {"rows": 64, "columns": 128, "axis": 0}, {"rows": 5, "columns": 5}),
    "top-k": (top_k, {"rows": 16, "columns": 1024, "count": 8}, {"rows": 4, "columns": 6, "count": 3}),
    "gather-rows": (gather, {"rows": 1024, "columns": 64, "count": 1024}, {"count": 4, "columns": 4}),
    "split": (split, {"rows": 256, "columns": 128}, {"rows": 5, "columns": 5}),
    "pad": (pad, LARGER, {"batch": 4, "channels": 4, "height": 4, "width": 3}),
}

# The same, with extents one behind the other.
ONE_MORE = [size + more for size in (32, 48, 64, 96, 128, 256) for more in (0, 1)]
LENGTHS = [size + more for size in (64, 128, 256, 512) for more in (0, 1)]
NEIGHBOURS = {
    "matmul": (matmul, {"rows": 128, "depth": 256, "columns": 256},
               {"rows": ONE_MORE, "depth": ONE_MORE, "columns": ONE_MORE}),
    "products": (products, {"batch": 2, "rows": 128, "depth": 128, "columns": 128},
                 {"rows": ONE_MORE, "depth": ONE_MORE, "columns": ONE_MORE}),
    "conv-3x3": (conv, {**PICTURE, "channels": 64, "kernel": 3},
                 {"channels": ONE_MORE[:-2], "height": ONE_MORE[:6], "width": ONE_MORE[:-2]}),
    "conv-1x1": (conv, {**LARGER, "kernel": 1},
                 {"channels": ONE_MORE, "height": ONE_MORE[:6], "width": ONE_MORE[:-2]}),
    "depthwise-3x3": (conv, {**LARGER, "kernel": 3, "depthwise": True},
                      {"channels": ONE_MORE, "width": ONE_MORE[:-2]}),
    "softmax": (softmax, {"rows": 512, "width": 128}, {"width": ONE_MORE}),
    "layer-norm": (layer_norm, {"rows": 512, "width": 128}, {"width": ONE_MORE}),
    "attention": (attention, {"batch": 1, "heads": 4, "length": 128}, {"length": LENGTHS}),
    "lstm": (recurrent, {"length": 16, "batch": 8, "hidden": 128, "operator": "LSTM", "gates": 4},
             {"hidden": ONE_MORE, "batch": ONE_MORE[:6]}),
    "transpose": (transpose, {"batch": 1, "rows": 512, "columns": 512},
                  {"rows": LENGTHS + [1024, 1025], "columns": LENGTHS + [1024, 1025]}),
    "sum-last-axis": (reduction, {"rows": 512, "columns": 128, "operator": "ReduceSum", "axis": 1},
                      {"columns": ONE_MORE}),
    "max-last-axis": (reduction, {"rows": 512, "columns": 128, "operator": "ReduceMax", "axis": 1},
                      {"columns": ONE_MORE}),
    "max-pool-3x3-stride-2": (pool, {**LARGER, "operator": "MaxPool", "kernel": 3, "stride": 2}, {"width": ONE_MORE}),
}

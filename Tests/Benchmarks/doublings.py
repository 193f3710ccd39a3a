#!/usr/bin/env python3
"""Does cost grow as work does? Operators alone, each with one extent doubled several times, one thread.

  doublings.py [--mlc PATH] [--out DIR] [--rounds N] [options] [REGEX]

A series is an operator and the extent that doubles, such as "conv-3x3 by channels"; those with a match of REGEX are
taken, or all. Prints a line for each size: microseconds, nanoseconds for 1000 units of work, and the growth, which is
that cost over the one of the size before. Work is multiply-adds, or elements read and written where an operator has
none; a dilation leaves it as it is.
Twice the work in twice the time is a growth of 1; one above 1 + --most is marked, and all marked ones are listed at the
end, the worst first.

Beside each stands the growth in onnxruntime: a step that both have is the machine's, for example where data leave a
cache. All sizes and both engines take turns; times are the fastest of all rounds.
"""
import argparse
import dataclasses
import functools
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import bench


@dataclasses.dataclass
class Graph:
    """Nodes from inputs of these shapes to `y`, constants by name, and units of work."""

    nodes: list
    inputs: dict
    work: int
    constants: dict = dataclasses.field(default_factory=dict)


def node(operator, inputs, result="y", **attributes):
    return helper.make_node(operator, inputs.split(" "), [result], **attributes)


def numbers(*shape):
    """Seeded numbers with a variance of one over what an output sums."""
    generator = np.random.Generator(np.random.PCG64(3))
    return (generator.standard_normal(shape) / math.sqrt(max(1, math.prod(shape[1:])))).astype(np.float32)


# --------------------------------------------------------------------------- operators, by their extents


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
    return Graph(nodes, {"x": (length, batch, hidden)}, length * batch * 2 * gates * hidden**2, constants)


def pool(batch, channels, height, width, operator, kernel, stride):
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
}

# --------------------------------------------------------------------------- measuring


def model(graph, name):
    inputs = [helper.make_tensor_value_info(key, TensorProto.FLOAT, shape) for key, shape in graph.inputs.items()]
    constants = [numpy_helper.from_array(np.asarray(value), key) for key, value in graph.constants.items()]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    whole = helper.make_graph(graph.nodes, name, inputs, [output], constants)
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def series():
    """Name → extents and graphs, in the order of the table."""
    found = {}
    for operator, (make, base, axes) in OPERATORS.items():
        for axis, count in axes.items():
            sizes = [base[axis] << step for step in range(count + 1)]
            found[f"{operator} by {axis}"] = [(size, functools.partial(make, **{**base, axis: size})) for size in sizes]
    return found


def engines(graph, base, options):
    """mlc's and onnxruntime's, each under its own name."""
    onnx.save(model(graph, os.path.basename(base)), base + ".onnx")
    package, archive = base + ".mlmodelc", base + ".npz"
    done = subprocess.run([options.mlc, "compile", base + ".onnx", "-o", package], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{base}.onnx: {done.stderr.strip()}")
    np.savez(archive, **bench.make_inputs(base + ".onnx", 0))
    command = f"{package}={bench.mlc_command(options.mlc, package)}"
    other = bench.Worker(f"ort@{base}.onnx", "", archive, options)
    return bench.Command(command, base + ".onnx", archive, options), other


def measure(name, sizes, options):
    """Fastest milliseconds of mlc and onnxruntime for each size."""
    pairs = []

    def fail(engine, problem):
        raise SystemExit(f"{engine}: {problem}")

    try:
        for size, graph in sizes:
            base = os.path.join(options.out, f"{name}-{size}".replace(" ", "-"))
            pairs.append(engines(graph, base, options))
        times = bench.measure([engine for pair in pairs for engine in pair], options, fail)
    finally:
        for _, worker in pairs:
            worker.close()
    return [[min(map(min, times[engine.name][0])) for engine in pair] for pair in pairs]


def report(name, options, sizes):
    """Prints the lines of a series; answers the marked ones."""
    sizes = [(size, make()) for size, make in sizes]
    marked, before = [], None
    for (size, graph), times in zip(sizes, measure(name, sizes, options)):
        costs = [milliseconds * 1e9 / graph.work for milliseconds in times]
        growth = [cost / last for cost, last in zip(costs, before)] if before else [1, 1]
        grows = growth[0] > 1 + options.most
        text = f"{name + ' ' + str(size):40} {times[0] * 1e3:10.1f} µs {costs[0]:9.2f}  {growth[0]:5.2f}"
        text += f"   ort {times[1] * 1e3:10.1f} µs {costs[1]:9.2f}  {growth[1]:5.2f}" + ("   <" if grows else "")
        print(text, flush=True)
        if grows:
            marked.append((growth[0], text))
        before = costs
    return marked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("regex", nargs="?", default=".")
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--out", default=".cache/bench/doublings", help="where models and packages go")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--budget", type=float, default=0.3, help="seconds for each engine and size")
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--most", type=float, default=0.1, help="growth of the cost of a unit that is not marked")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    chosen = {name: sizes for name, sizes in series().items() if re.search(options.regex, name)}
    if not chosen:
        sys.exit(f"no series is named so; there are {', '.join(series())}")
    marked = [mark for name, sizes in chosen.items() for mark in report(name, options, sizes)]
    print(f"\n{len(marked)} doublings cost over {options.most:.0%} more for a unit:")
    for _, text in sorted(marked, reverse=True):
        print(text.removesuffix("   <"))


if __name__ == "__main__":
    main()

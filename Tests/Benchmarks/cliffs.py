#!/usr/bin/env python3
"""Convolutions of usual and unusual shapes, products of other types than float, and operators alone that run along rows or
whose work data decides, beside onnxruntime: one a graph, one thread, in turns.

  cliffs.py [--mlc PATH] [--out DIR] [--check] [REGEX]

Prints a line for each case: its name, milliseconds of both and mlc / onnxruntime, medians over rounds of the fastest
runs, then the worst ratio and the geometric mean. A half-precision case runs as float32 in onnxruntime, which has no such kernel.
--check compares the outputs instead, and ends with 1 when one differs by more than 1e-4 of its largest element (1e-2 in
half precision).
"""
import argparse
import dataclasses
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper

import bench


@dataclasses.dataclass
class Case:
    """One convolution: channels, filters and spatial extents; kernel, strides and so on by axis or for all of them."""

    name: str
    channels: int
    filters: int
    size: tuple
    kernel: int | tuple = 3
    groups: int = 1
    stride: int = 1
    dilation: int = 1
    pad: int | None = None
    at_run_time: bool = False
    relu: bool = False
    half: int | None = None

    def axes(self, value):
        return list(value) if isinstance(value, tuple) else [value] * len(self.size)


def resnext(count, width, size):
    return Case(f"groups-{count}x{width}-{size}", count * width, count * width, (size, size), groups=count)


@dataclasses.dataclass
class Product:
    """A matrix of `rows` by `depth` times one of `depth` by `columns`, both known as the program runs."""

    name: str
    type: int
    rows: int
    depth: int
    columns: int
    half: int | None = None


@dataclasses.dataclass
class Alone:
    """One operator, or a few one behind the other, on an input of `shape`: each an operator's type, the constants behind
    its data, and its attributes."""

    name: str
    shape: tuple
    operators: list
    half: int | None = None


def alone(name, shape, operator, *constants, **attributes):
    return Alone(name, shape, [(operator, constants, attributes)])


def pool(name, operator, channels, size, kernel, stride, pad):
    """A square window over a square picture."""
    attributes = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [pad] * 4}
    return alone(name, (1, channels, size, size), operator, **attributes)


def numbers(*shape, seed=5):
    return (np.random.Generator(np.random.PCG64(seed)).standard_normal(shape) / 8).astype(np.float32)


def group_norm(name, channels, size, groups):
    """Instance normalisation of groups, scale and shift of channels, SiLU: as PyTorch exports it."""
    ones, zeros = np.ones(groups, np.float32), np.zeros(groups, np.float32)
    operators = [
        ("Reshape", [np.array([1, groups, -1], np.int64)], {}),
        ("InstanceNormalization", [ones, zeros], {}),
        ("Reshape", [np.array([1, channels, size, size], np.int64)], {}),
        ("Mul", [numbers(channels, 1, 1)], {}),
        ("Add", [numbers(channels, 1, 1)], {}),
        ("SiLU", [], {}),
    ]
    return Alone(name, (1, channels, size, size), operators)


def behind_pointwise(name, channels, size, operator, **attributes):
    """An operator on what a 1×1 convolution makes of 64 channels."""
    operators = [("Conv", [numbers(channels, 64, 1, 1)], {}), (operator, [], attributes)]
    return Alone(name, (1, 64, size, size), operators)


def line(channels, length):
    """Convolutions of one dimension between which signs are lost and edges mirrored."""
    def conv(kernel, seed):
        return "Conv", [numbers(channels, channels, kernel, seed=seed) / kernel], {}

    pad = "Pad", [np.array([0, 0, 1, 0, 0, 1], np.int64)], {"mode": "reflect"}
    relu = "Relu", [], {}
    operators = [conv(1, 6), relu, pad, conv(3, 7), relu, conv(1, 8), relu]
    return Alone(f"line-chain-{channels}x{length}", (1, channels, length), operators)


def pointwise_behind_nearest(channels, filters, length, scale):
    """A 1×1 convolution of what nearest neighbours repeat."""
    scales = [np.zeros(0, np.float32), np.float32([1, 1, scale])]
    modes = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    operators = [("Resize", scales, modes), ("Conv", [numbers(filters, channels, 1)], {})]
    return Alone(f"pointwise-behind-nearest-{channels}-{filters}-{length}x{scale}", (1, channels, length), operators)


def suppression(name, boxes, classes):
    """Boxes of random corners, of which at most a hundred a class are kept."""
    scores = np.random.Generator(np.random.PCG64(9)).random((1, classes, boxes), np.float32)
    given = [scores, np.array([100], np.int64), np.float32([0.5]), np.float32([0.25])]
    return alone(name, (1, boxes, 4), "NonMaxSuppression", *given)


CASES = [
    *[Case(f"3x3-{width}-{size}", width, width, (size, size)) for width, size in ((64, 56), (256, 28), (512, 32))],
    Case("stem-3-24-320-stride-2", 3, 24, (320, 320), stride=2),
    Case("3x3-512-7", 512, 512, (7, 7)),
    Case("line-stem-1-512-k10-stride-5", 1, 512, (80000,), kernel=10, stride=5, pad=0),
    Case("line-stem-1-500-k10-stride-5", 1, 500, (80000,), kernel=10, stride=5, pad=0),
    *[resnext(32, width, size) for width in (4, 8) for size in (56, 28, 14)],
    Case("groups-32x16-14-stride-2", 512, 512, (28, 28), groups=32, stride=2),
    Case("groups-32x4-56-relu", 128, 128, (56, 56), groups=32, relu=True),
    *[resnext(count, width, 28) for count, width in ((24, 3), (16, 5), (8, 12), (4, 24), (3, 40))],
    Case("groups-8x4-to-12", 32, 96, (28, 28), groups=8),
    Case("depthwise-2-112", 2, 2, (112, 112), groups=2),
    Case("groups-pointwise-4x30", 120, 240, (28, 28), kernel=1, groups=4),
    Case("multiplier-2", 64, 128, (56, 56), groups=64),
    Case("line-groups-16x4", 64, 64, (1600,), groups=16),
    Case("line-groups-8x96-k128", 768, 768, (200,), kernel=128, groups=8, pad=64),
    Case("volume-16-32-16", 16, 32, (16, 16, 16)),
    Case("volume-64-64-8", 64, 64, (8, 8, 8)),
    Case("volume-64-128-8-stride-2", 64, 128, (8, 8, 8), stride=2),
    Case("volume-3-64-16x112-stem", 3, 64, (16, 112, 112), kernel=(3, 7, 7), stride=2, pad=(1, 3, 3)),
    Case("volume-64-64-1x3x3", 64, 64, (8, 28, 28), kernel=(1, 3, 3), pad=(0, 1, 1)),
    Case("volume-128-64-pointwise", 128, 64, (8, 14, 14), kernel=1),
    Case("volume-108-48-pointwise", 108, 48, (8, 20, 20), kernel=1),
    Case("volume-64-64-3x1x1", 64, 64, (8, 28, 28), kernel=(3, 1, 1), pad=(1, 0, 0)),
    Case("volume-depthwise-64", 64, 64, (8, 28, 28), groups=64),
    Case("volume-depthwise-108-stride-2", 108, 108, (8, 40, 40), groups=108, stride=2),
    Case("volume-depthwise-24-5x1x1", 24, 24, (8, 80, 80), kernel=(5, 1, 1), pad=(2, 0, 0), groups=24),
    Case("run-time-64-64-28", 64, 64, (28, 28), at_run_time=True),
    Case("run-time-64-64-28-relu", 64, 64, (28, 28), at_run_time=True, relu=True),
    Case("run-time-256-256-14", 256, 256, (14, 14), at_run_time=True),
    Case("run-time-pointwise-256-64-28", 256, 64, (28, 28), kernel=1, at_run_time=True),
    Case("run-time-depthwise-128-28", 128, 128, (28, 28), groups=128, at_run_time=True),
    Case("run-time-64-128-28-stride-2", 64, 128, (28, 28), stride=2, at_run_time=True),
    Case("depthwise-128-28-dilation-2", 128, 128, (28, 28), groups=128, dilation=2),
    Case("depthwise-128-28-dilation-4", 128, 128, (28, 28), groups=128, dilation=4),
    Case("depthwise-5x5-128-28-dilation-2", 128, 128, (28, 28), kernel=5, groups=128, dilation=2),
    Case("depthwise-5x5-128-28-stride-2", 128, 128, (28, 28), kernel=5, groups=128, stride=2),
    Case("dilation-2-64-64-28", 64, 64, (28, 28), dilation=2),
    Case("pointwise-33-33-56", 33, 33, (56, 56), kernel=1),
    Case("pointwise-65-65-28", 65, 65, (28, 28), kernel=1),
    Case("line-pointwise-17-17-2000", 17, 17, (2000,), kernel=1),
    Case("volume-33-33-pointwise", 33, 33, (8, 28, 28), kernel=1),
    Case("3x3-256-256-14", 256, 256, (14, 14)),
    Case("bfloat16-64-64-28", 64, 64, (28, 28), half=TensorProto.BFLOAT16),
    Case("bfloat16-groups-32x4-28", 128, 128, (28, 28), groups=32, half=TensorProto.BFLOAT16),
    Case("float16-groups-32x4-28", 128, 128, (28, 28), groups=32, half=TensorProto.FLOAT16),
    Case("float16-volume-64-64-8", 64, 64, (8, 8, 8), half=TensorProto.FLOAT16),
    Product("product-double-128-256-256", TensorProto.DOUBLE, 128, 256, 256),
    Product("product-int32-128-256-256", TensorProto.INT32, 128, 256, 256),
    Product("product-int64-128-256-256", TensorProto.INT64, 128, 256, 256),
    Product("product-uint32-128-256-256", TensorProto.UINT32, 128, 256, 256),
    alone("linear-49x768x3072", (49, 768), "MatMul", numbers(768, 3072)),
    alone("linear-197x3072x768", (197, 3072), "MatMul", numbers(3072, 768)),
    alone("linear-384x4096x1024", (384, 4096), "MatMul", numbers(4096, 1024)),
    pool("max-pool-13x13-512x13", "MaxPool", 512, 13, 13, 1, 6),
    pool("max-pool-13x13-64x56-bare", "MaxPool", 64, 56, 13, 1, 0),
    pool("max-pool-5x5-256x20", "MaxPool", 256, 20, 5, 1, 2),
    pool("max-pool-3x3-192x28", "MaxPool", 192, 28, 3, 1, 1),
    pool("max-pool-3x3-64x112-stride-2", "MaxPool", 64, 112, 3, 2, 1),
    pool("max-pool-2x2-64x112-stride-2", "MaxPool", 64, 112, 2, 2, 0),
    pool("average-pool-3x3-192x28", "AveragePool", 192, 28, 3, 1, 1),
    pool("average-pool-3x3-192x28-stride-2", "AveragePool", 192, 28, 3, 2, 1),
    pool("average-pool-2x2-128x56-stride-2", "AveragePool", 128, 56, 2, 2, 0),
    alone("cumsum-first-axis-1024x1024", (1024, 1024), "CumSum", np.array(0, np.int64)),
    alone("argmax-channels-21x512", (1, 21, 512, 512), "ArgMax", axis=1),
    alone("atan-128x3072", (128, 3072), "Atan"),
    alone("exp-128x3072", (128, 3072), "Exp"),
    alone("tile-64x80", (64, 80), "Tile", np.array([4, 4], np.int64)),
    alone("nearest-twice-256x40", (1, 256, 40, 40), "Resize", np.zeros(0, np.float32), np.float32([1, 1, 2, 2]),
          mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    alone("nearest-half-pixel-256x40", (1, 256, 40, 40), "Resize", np.zeros(0, np.float32), np.float32([1, 1, 2, 2]),
          mode="nearest"),
    line(64, 4096),
    line(512, 512),
    pointwise_behind_nearest(80, 128, 128, 64),
    behind_pointwise("softmax-channels-313x64", 313, 64, "Softmax", axis=1),
    behind_pointwise("log-softmax-channels-256x64", 256, 64, "LogSoftmax", axis=1),
    alone("unique-8400", (8400,), "Unique"),
    alone("grid-sample-256x64", (1, 256, 64, 64), "GridSample", 4 * numbers(1, 64, 64, 2)),
    alone("col2im-576x1024-3x3", (1, 576, 1024), "Col2Im", np.array([32, 32], np.int64), np.array([3, 3], np.int64),
          pads=[1, 1, 1, 1]),
    alone("col2im-592x3364-4x4-stride-2", (1, 592, 3364), "Col2Im", np.array([118, 118], np.int64),
          np.array([4, 4], np.int64), strides=[2, 2]),
    alone("remainder-24x8x165", (24, 8, 165), "Mod", 8 * numbers(24, 8, 165), fmod=1),
    alone("transpose-1024x512", (1024, 512), "Transpose", perm=[1, 0]),
    alone("transpose-1000x512", (1000, 512), "Transpose", perm=[1, 0]),
    alone("transposed-64-32-56-2x2-stride-2", (1, 64, 56, 56), "ConvTranspose", numbers(64, 32, 2, 2), strides=[2, 2]),
    alone("transposed-64-3-56-5x5-stride-2", (1, 64, 56, 56), "ConvTranspose", numbers(64, 3, 5, 5), strides=[2, 2],
          pads=[2] * 4, output_padding=[1, 1]),
    alone("transposed-line-64-64-1000-k3-stride-3", (1, 64, 1000), "ConvTranspose", numbers(64, 64, 3), strides=[3]),
    alone("transposed-volume-64-32-8x14-stride-2", (1, 64, 8, 14, 14), "ConvTranspose", numbers(64, 32, 3, 3, 3),
          strides=[2, 2, 2], pads=[1] * 6),
    suppression("suppression-8400x1", 8400, 1),
    suppression("suppression-8400x80", 8400, 80),
    alone("lstm-64x256", (64, 1, 128), "LSTM", numbers(1, 1024, 128, seed=6), numbers(1, 1024, 256, seed=7),
          hidden_size=256),
    alone("gru-64x256", (64, 1, 128), "GRU", numbers(1, 768, 128, seed=6), numbers(1, 768, 256, seed=7),
          hidden_size=256),
    alone("rnn-64x256", (64, 1, 256), "RNN", numbers(1, 256, 256, seed=6), numbers(1, 256, 256, seed=7), hidden_size=256),
    group_norm("group-norm-silu-320x64", 320, 64, 32),
]


def weights(case):
    kernel = case.axes(case.kernel)
    shape = [case.filters, case.channels // case.groups, *kernel]
    generator = np.random.Generator(np.random.PCG64(3))
    return (generator.standard_normal(shape) / math.sqrt(np.prod(shape[1:]))).astype(np.float32)


def product(case):
    """The graph of a `Product`."""
    shapes = {"x": [case.rows, case.depth], "w": [case.depth, case.columns], "y": [case.rows, case.columns]}
    x, w, y = (helper.make_tensor_value_info(name, case.type, shape) for name, shape in shapes.items())
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], case.name, [x, w], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)


def chain(case):
    """The graph of operators `Alone`."""
    nodes, constants, last = [], [], "x"
    for place, (operator, given, attributes) in enumerate(case.operators):
        names = [f"c{place}.{number}" for number in range(len(given))]
        constants += [onnx.numpy_helper.from_array(np.asarray(value), name) for value, name in zip(given, names)]
        result = "y" if place == len(case.operators) - 1 else f"t{place}"
        if operator == "SiLU":
            nodes.append(helper.make_node("Sigmoid", [last], [result + ".gate"]))
            nodes.append(helper.make_node("Mul", [last, result + ".gate"], [result]))
        else:
            nodes.append(helper.make_node(operator, [last, *names], [result], **attributes))
        last = result
    element = TensorProto.INT64 if case.operators[-1][0] in ("ArgMax", "NonMaxSuppression") else TensorProto.FLOAT
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, case.shape)
    graph = helper.make_graph(nodes, case.name, [x], [helper.make_tensor_value_info("y", element, None)], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def model(case, half):
    """The case's graph; with `half`, casts around a convolution of that type."""
    if isinstance(case, Product):
        return product(case)
    if isinstance(case, Alone):
        return chain(case)
    kernel, dilation = case.axes(case.kernel), case.axes(case.dilation)
    pads = case.axes(case.pad) if case.pad is not None else [(k - 1) * d // 2 for k, d in zip(kernel, dilation)]
    weight = weights(case)
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, case.channels, *case.size])]
    constants, nodes, names = [], [], ["x", "w"]
    if case.at_run_time:
        inputs.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, weight.shape))
    else:
        constants.append(onnx.numpy_helper.from_array(weight, "w"))
    if half:
        nodes += [helper.make_node("Cast", [name], [name + ".half"], to=half) for name in names]
        names = [name + ".half" for name in names]
    nodes.append(
        helper.make_node(
            "Conv", names, ["sum"], group=case.groups, kernel_shape=kernel, pads=pads + pads,
            strides=case.axes(case.stride), dilations=dilation,
        )
    )
    if case.relu:
        nodes.append(helper.make_node("Relu", ["sum"], ["positive"]))
    last = nodes[-1].output[0]
    if half:
        nodes.append(helper.make_node("Cast", [last], ["y"], to=TensorProto.FLOAT))
    else:
        nodes[-1].output[0] = "y"
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, case.name, inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)


def prepare(case, options):
    """Writes the model for onnxruntime and the package for mlc; answers both paths."""
    base = os.path.join(options.out, case.name)
    onnx.save(onnx.shape_inference.infer_shapes(model(case, None)), base + ".onnx")
    source = base + ".onnx"
    if case.half:
        source = base + ".half.onnx"
        onnx.save(model(case, case.half), source)
    subprocess.run([options.mlc, "compile", source, "-o", base + ".mlmodelc"], check=True, capture_output=True)
    return base + ".onnx", base + ".mlmodelc"


def check(case, options, source, package):
    """The largest difference of outputs, by the largest output."""
    import onnxruntime

    inputs = bench.make_inputs(source, 0)
    expected = onnxruntime.InferenceSession(source, providers=["CPUExecutionProvider"]).run(None, inputs)[0]
    with tempfile.TemporaryDirectory() as folder:
        archive, answers = os.path.join(folder, "x.npz"), os.path.join(folder, "y.npz")
        np.savez(archive, **inputs)
        subprocess.run([options.mlc, "predict", package, "--inputs", archive, "--out", answers], check=True,
                       capture_output=True)
        with np.load(answers) as file:
            result = file["y"]
    return float(np.abs(result - expected).max() / np.abs(expected).max())


def measure(case, options, source, package):
    rows = {}
    settings = argparse.Namespace(
        engines="ort", threads=options.threads, rounds=options.rounds, budget=options.budget, core=options.core, seed=0,
        exec=[f"mlc={bench.mlc_command(options.mlc, package)}"],
    )
    bench.bench(source, settings, lambda row: rows.update({row["engine"]: row}))
    return rows


def main():
    parser = bench.operator_arguments(__doc__, "cliffs", rounds=7, budget=0.7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="compare outputs, measure nothing")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    ratios, wrong = {}, []
    for case in CASES:
        if not re.search(options.regex, case.name):
            continue
        source, package = prepare(case, options)
        if options.check:
            difference = check(case, options, source, package)
            print(f"{case.name:36} {difference:9.2e}", flush=True)
            if not difference <= (1e-2 if case.half else 1e-4):
                wrong.append(case.name)
            continue
        rows = measure(case, options, source, package)
        problem = next((row["error"] for row in rows.values() if "error" in row), None)
        if problem:
            sys.exit(f"{case.name}: {problem}")
        ratios[case.name] = rows["mlc"]["ratio_ort"]
        print(
            f"{case.name:36} ort {rows['ort']['ms_p10']:8.3f} ms   mlc {rows['mlc']['ms_p10']:8.3f} ms"
            f"   ratio {ratios[case.name]:6.2f}   cpu {rows['mlc']['ratio_ort_cpu']:6.2f}", flush=True,
        )
    if ratios:
        worst = max(ratios, key=ratios.get)
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        print(f"worst {ratios[worst]:.2f} ({worst}), geometric mean {mean:.2f} of {len(ratios)}")
    sys.exit(f"wrong: {', '.join(wrong)}" if wrong else 0)


if __name__ == "__main__":
    main()

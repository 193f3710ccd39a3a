#!/usr/bin/env python3
"""How long generated models of many nodes take to be imported and compiled.

  import_speed.py --mlc PATH [--nodes 1000,5000,20000] [--no-compile]

Seconds are of the whole command, on the cores that there are. Where `mlc inspect` takes more than 2 s for up to 20000
nodes, or compiling more than 60 s, the exit status is 1.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH = 8
LIMITS = {"import": 2.0, "compile": 60.0}


class Graph:
    """A model that grows node by node."""

    def __init__(self, rows):
        self.rows, self.tensors, self.nodes, self.infos = rows, [], [], []
        self.generator = np.random.default_rng(1)

    def constant(self, array):
        self.tensors.append(numpy_helper.from_array(array, f"w{len(self.tensors)}"))
        return self.tensors[-1].name

    def weights(self, *shape):
        return self.constant(self.generator.standard_normal(shape).astype(np.float32) / WIDTH)

    def add(self, op, inputs, shape=None, **attributes):
        output = f"v{len(self.nodes)}"
        name = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [output], name=name, **attributes))
        if shape:
            self.infos.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, shape))
        return output

    def model(self, output):
        graph = helper.make_graph(
            self.nodes,
            "blocks",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [self.rows, WIDTH])],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, [self.rows, WIDTH])],
            self.tensors,
            value_info=[info for info in self.infos if info.name != output],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def blocks(count):
    """Products with a small matrix, a bias, an activation, and a sum with what came before."""
    graph, value = Graph(1), "x"
    while len(graph.nodes) < count:
        product = graph.add("MatMul", [value, graph.weights(WIDTH, WIDTH)], [1, WIDTH])
        moved = graph.add("Add", [product, graph.weights(WIDTH)], [1, WIDTH])
        value = graph.add("Add", [graph.add("Tanh", [moved], [1, WIDTH]), value], [1, WIDTH])
    return graph.model(value)


def shapes(count):
    """Rows of an open number, taken apart and put together again by shapes that are computed."""
    graph, value = Graph("rows"), "x"
    zero, two = graph.constant(np.array(0, np.int64)), graph.constant(np.array([2], np.int64))
    first, rest = graph.constant(np.array([0], np.int64)), graph.constant(np.array([-1], np.int64))
    width = graph.constant(np.array([WIDTH], np.int64))
    while len(graph.nodes) < count:
        rows = graph.add("Unsqueeze", [graph.add("Gather", [graph.add("Shape", [value]), zero]), first])
        split = graph.add("Reshape", [value, graph.add("Concat", [rows, two, rest], axis=0)])
        turned = graph.add("Sigmoid", [graph.add("Transpose", [split], perm=[0, 2, 1])])
        joined = graph.add("Reshape", [turned, graph.add("Concat", [rows, width], axis=0)])
        value = graph.add("Mul", [joined, graph.weights(WIDTH)])
    return graph.model(value)


def wide(count):
    """Many nodes that read one value, and a sum of all that they give."""
    graph = Graph(1)
    scaled = [graph.add("Mul", ["x", graph.weights(WIDTH)], [1, WIDTH]) for _ in range(count // 2)]
    total = scaled[0]
    for value in scaled[1:]:
        total = graph.add("Add", [total, value], [1, WIDTH])
    return graph.model(total)


def seconds(command):
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--nodes", default="1000,5000,20000")
    parser.add_argument("--no-compile", action="store_true")
    options = parser.parse_args()
    slow = False
    print(f"{'model':<8}{'nodes':>8}{'import s':>10}{'compile s':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for make in (blocks, shapes, wide):
            for count in map(int, options.nodes.split(",")):
                path = os.path.join(folder, f"{make.__name__}{count}.onnx")
                onnx.save(make(count), path)
                times = {"import": seconds([options.mlc, "inspect", path])}
                if not options.no_compile:
                    package = path.replace(".onnx", ".mlmodelc")
                    times["compile"] = seconds([options.mlc, "compile", path, "-o", package])
                slow |= count <= 20000 and any(times[name] > LIMITS[name] for name in times)
                cells = f"{times['import']:>10.2f}{times.get('compile', float('nan')):>11.2f}"
                print(f"{make.__name__:<8}{count:>8}{cells}", flush=True)
    sys.exit(slow)


if __name__ == "__main__":
    main()

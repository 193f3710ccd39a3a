#!/usr/bin/env python3
"""Does cost grow as work does? Operators alone, each with one extent doubled several times, one thread.

  doublings.py [--neighbours] [--mlc PATH] [--out DIR] [--rounds N] [options] [REGEX]

A series is an operator and the extent that doubles, such as "conv-3x3 by channels"; those with a match of REGEX are
taken, or all. With --neighbours extents grow by one instead, past multiples of vectors and tiles.

Prints a line for each size: microseconds, nanoseconds for 1000 units of work, the growth, which is that cost over the
one of the size before, and the growth that is the operator's own. Work is multiply-adds, or elements read and written
where an operator has none; a dilation leaves it as it is. Beside each stands the growth in onnxruntime.

Data that leave a cache cost more whoever reads them. So this process reads and writes as many bytes as the operator at
each size, and nothing else. The time to expect of a size is its share of the time at the size before, and what moving
the bytes costs over its share there: the operator's own growth is its time over that. Twice the work in twice the time
is a growth of 1; an own growth above 1 + --most is marked, and all marked ones are listed at the end, the worst first.

All sizes and both engines take turns; times are the fastest of all rounds.
"""
import functools
import math
import os
import re
import subprocess
import sys
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import bench
from operator_series import NEIGHBOURS, OPERATORS


def model(graph, name):
    """Its outputs are all that the last node has, with their shapes."""
    results = graph.nodes[-1].output
    inputs = [helper.make_tensor_value_info(key, TensorProto.FLOAT, shape) for key, shape in graph.inputs.items()]
    constants = [numpy_helper.from_array(np.asarray(value), key) for key, value in graph.constants.items()]
    types = [TensorProto.INT64 if result == "places" else TensorProto.FLOAT for result in results]
    outputs = [helper.make_tensor_value_info(result, kind, None) for result, kind in zip(results, types)]
    whole = helper.make_graph(graph.nodes, name, inputs, outputs, constants)
    made = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    return onnx.shape_inference.infer_shapes(made, data_prop=True)


def series(table):
    """Name → extents and graphs, in the order of a table: of doublings, or of extents."""
    found = {}
    for operator, (make, base, axes) in table.items():
        for axis, extents in axes.items():
            sizes = extents if isinstance(extents, list) else [base[axis] << step for step in range(extents + 1)]
            found[f"{operator} by {axis}"] = [(size, functools.partial(make, **{**base, axis: size})) for size in sizes]
    return found


def fastest(action, seconds=0.02):
    """Of all calls within that time."""
    best, end = math.inf, time.perf_counter() + seconds
    while (start := time.perf_counter()) < end:
        action()
        best = min(best, time.perf_counter() - start)
    return best


def movement(graph):
    """Milliseconds in which this machine reads all that the graph reads and writes all that it writes."""
    constants = {name: np.asarray(value).nbytes for name, value in graph.constants.items()}
    read = sum(constants.values()) + sum(4 * math.prod(shape) for shape in graph.inputs.values())
    outputs = [output.type.tensor_type for output in model(graph, "moved").graph.output]
    written = sum(
        math.prod(extent.dim_value for extent in kind.shape.dim) * (8 if kind.elem_type == TensorProto.INT64 else 4)
        for kind in outputs)
    again = sum((times - 1) * constants[name] for name, times in graph.readings.items())
    copied = min(read, written)
    source, sink, rest = np.ones(copied, np.int8), np.ones(written, np.int8), b"\1" * (read - copied)

    def move():
        np.copyto(sink[:copied], source)
        sink[copied:] = 1
        rest.find(0)

    weights = b"\1" * (read if again else 0)
    return 1e3 * (fastest(move) + again / max(read, 1) * fastest(lambda: weights.find(0)))


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


def own_growth(works, times, moved):
    """The second time over its share of the first and what moving the data costs more than its share."""
    growth = works[1] / works[0]
    return times[1] / (growth * times[0] + max(0, moved[1] - growth * moved[0]))


def report(name, options, sizes):
    """Prints the lines of a series; answers the marked ones."""
    sizes = [(size, make()) for size, make in sizes]
    marked, before = [], None
    for (size, graph), times in zip(sizes, measure(name, sizes, options)):
        costs, moved = [milliseconds * 1e9 / graph.work for milliseconds in times], movement(graph)
        growth = [cost / last for cost, last in zip(costs, before[0])] if before else [1, 1]
        own = own_growth(*zip(before[1], (graph.work, times[0], moved))) if before else 1
        grows = own > 1 + options.most
        text = f"{name + ' ' + str(size):40} {times[0] * 1e3:10.1f} µs {costs[0]:9.2f}  {growth[0]:5.2f}"
        text += f"   own {own:5.2f}   moved {moved * 1e3:9.1f} µs"
        text += f"   ort {times[1] * 1e3:10.1f} µs {costs[1]:9.2f}  {growth[1]:5.2f}" + ("   <" if grows else "")
        print(text, flush=True)
        if grows:
            marked.append((own, text))
        before = costs, (graph.work, times[0], moved)
    return marked


def main():
    parser = bench.operator_arguments(__doc__, "doublings", rounds=7, budget=0.3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--neighbours", action="store_true", help="extents that differ by one")
    parser.add_argument("--most", type=float, help="growth of a unit's cost that is not marked: 0.1; neighbours' 0.25")
    options = parser.parse_args()
    if options.most is None:
        options.most = 0.25 if options.neighbours else 0.1
    table = series(NEIGHBOURS if options.neighbours else OPERATORS)
    os.makedirs(options.out, exist_ok=True)
    chosen = {name: sizes for name, sizes in table.items() if re.search(options.regex, name)}
    if not chosen:
        sys.exit(f"no series is named so; there are {', '.join(table)}")
    marked = [mark for name, sizes in chosen.items() for mark in report(name, options, sizes)]
    print(f"\nsteps at which a unit costs over {options.most:.0%} more than the machine explains: {len(marked)}")
    for _, text in sorted(marked, reverse=True):
        print(text.removesuffix("   <"))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How good the choices are that mlc makes by estimates: draws convolutions, matrix products and attention of many
shapes, lets `mlc tune` measure every candidate of each, and sets what estimates choose beside the fastest.

  choices.py [--mlc PATH] [--count N] [--seed N] [--kinds REGEX] [--target NAME]

Prints a line for each contraction between whose candidates there is something to choose, the worst regret first: by
how much the choice is slower than the fastest, Spearman's rank correlation of estimates and times, how much the fastest
takes, both candidates, and what was drawn. Then the geometric means by kind and of all. A regret above a tenth is
marked.
"""
import argparse
import dataclasses
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MARK = 1.1
# Products of a contraction that is worth choosing for, and that takes a few milliseconds at most.
WORK = (1 << 20, 1 << 27)


@dataclasses.dataclass
class Drawn:
    """A contraction of `inputs`, shapes by name, and `constants`, arrays by name, as nodes whose last one makes `y`."""

    kind: str
    text: str
    work: float
    inputs: dict
    constants: dict
    nodes: list


class Draw:
    def __init__(self, generator):
        self.generator = generator

    def choice(self, *values):
        return values[self.generator.integers(len(values))]

    def between(self, low, high):
        """A number between both, all orders of magnitude alike."""
        return int(round(math.exp(self.generator.uniform(math.log(low), math.log(high)))))

    def channels(self, high=512):
        """Half of them a multiple of 32, as in networks."""
        drawn = self.between(16, high)
        return self.choice(drawn, max(32, drawn // 32 * 32))

    def weights(self, *shape):
        return (self.generator.standard_normal(shape) / math.sqrt(np.prod(shape[1:]))).astype(np.float32)

    def convolution(self, kind, channels, filters, size, kernel, groups=1, stride=1, dilation=1, batch=1):
        pads = [(k - 1) * dilation // 2 for k in kernel]
        outputs = [(s + 2 * p - (k - 1) * dilation - 1) // stride + 1 for s, p, k in zip(size, pads, kernel)]
        shape = [filters, channels // groups, *kernel]
        node = helper.make_node(
            "Conv", ["x", "w"], ["y"], group=groups, kernel_shape=kernel, pads=pads * 2,
            strides=[stride] * len(size), dilations=[dilation] * len(size),
        )
        text = (
            f"{batch}×{channels}→{filters} of {'×'.join(map(str, size))}, kernel {'×'.join(map(str, kernel))}, "
            f"groups {groups}, stride {stride}, dilation {dilation}"
        )
        work = math.prod([batch, *outputs, *shape]) if min(outputs) > 0 else 0
        return Drawn(kind, text, work, {"x": [batch, channels, *size]}, {"w": self.weights(*shape)}, [node])

    def square(self):
        side = self.choice(7, 14, 28, 56, self.between(6, 80))
        return [side, self.choice(side, side, self.between(6, 80))]

    def conv(self):
        kernel = [3, 3] if self.choice(0, 1, 1) else [self.choice(1, 2, 3, 5, 7), self.choice(1, 3, 5, 7)]
        return self.convolution(
            "conv", self.channels(), self.channels(), self.square(), kernel, stride=self.choice(1, 1, 2),
            dilation=self.choice(1, 1, 1, 2), batch=self.choice(1, 1, 1, 4),
        )

    def pointwise(self):
        return self.convolution("pointwise", self.channels(1024), self.channels(1024), self.square(), [1, 1],
                                stride=self.choice(1, 1, 1, 2), batch=self.choice(1, 1, 4))

    def line(self):
        length, kernel = self.between(50, 3000), self.choice(1, 3, 5, 7, 11)
        return self.convolution("line", self.channels(), self.channels(), [length], [kernel],
                                stride=self.choice(1, 1, 2), dilation=self.choice(1, 1, 3))

    def stem(self):
        kernel, size = self.choice(3, 5, 7), self.between(64, 320)
        return self.convolution("stem", self.choice(1, 3, 4), self.channels(96), [size] * 2, [kernel] * 2,
                                stride=self.choice(1, 2, 4))

    def grouped(self):
        groups, width = self.choice(2, 3, 4, 8, 32), self.choice(4, 8, 16, 24, 32, 64)
        return self.convolution("grouped", groups * width, groups * width, self.square(), [3, 3], groups=groups,
                                stride=self.choice(1, 1, 2))

    def matrices(self, kind, m, n, k, batch, is_constant):
        constants = {"w": self.weights(k, n)} if is_constant else {}
        inputs = {"x": batch + [m, k]} if is_constant else {"x": batch + [m, k], "w": batch + [k, n]}
        text = f"{'×'.join(map(str, batch + [m, k]))} times {k}×{n}{'' if is_constant else ' at run time'}"
        work = math.prod([*batch, m, n, k])
        return Drawn(kind, text, work, inputs, constants, [helper.make_node("MatMul", ["x", "w"], ["y"])])

    def extent(self):
        drawn = self.between(16, 4096)
        return self.choice(drawn, max(64, drawn // 64 * 64))

    def product(self):
        return self.matrices("product", self.between(5, 1024), self.extent(), self.extent(), [], True)

    def skinny(self):
        m, is_constant = self.between(1, 16), self.choice(True, True, False)
        return self.matrices("skinny", m, self.extent(), self.extent(), [], is_constant)

    def batched(self):
        sizes = [self.between(8, 512) for _ in range(3)]
        return self.matrices("batched", *sizes, [self.choice(1, 2, 8, 12)], False)

    def attention(self):
        heads, depth, keys = self.choice(4, 6, 12, 16), self.choice(32, 64, 80, 128), self.between(32, 1024)
        queries = self.choice(keys, keys, 1, 4, self.between(16, 512))
        inputs = {"q": [1, heads, queries, depth], "k": [1, heads, keys, depth], "v": [1, heads, keys, depth]}
        nodes = [
            helper.make_node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]),
            helper.make_node("MatMul", ["q", "kt"], ["scores"]),
            helper.make_node("Mul", ["scores", "scale"], ["scaled"]),
            helper.make_node("Softmax", ["scaled"], ["weights"], axis=-1),
            helper.make_node("MatMul", ["weights", "v"], ["y"]),
        ]
        text = f"{heads} heads, {queries} queries, {keys} keys, depth {depth}"
        work = 2 * heads * queries * keys * depth
        return Drawn("attention", text, work, inputs, {"scale": np.float32(depth ** -0.5)}, nodes)


KINDS = ["conv", "pointwise", "line", "stem", "grouped", "product", "skinny", "batched", "attention"]


def drawn(options):
    """Contractions of all kinds in turn, each of an amount of work that lies in `WORK`."""
    draw = Draw(np.random.Generator(np.random.PCG64(options.seed)))
    kinds = [kind for kind in KINDS if re.search(options.kinds, kind)]
    found = []
    while len(found) < options.count:
        one = getattr(draw, kinds[len(found) % len(kinds)])()
        if WORK[0] <= one.work <= WORK[1]:
            found.append(one)
    return found


def model(contractions):
    """One graph of all, side by side; the names of nodes begin with the number of theirs."""
    nodes, inputs, outputs, constants = [], [], [], []
    for number, one in enumerate(contractions):
        for place, node in enumerate(one.nodes):
            copy = onnx.NodeProto()
            copy.CopyFrom(node)
            copy.name = f"{number}.{place}"
            copy.input[:] = [f"{number}.{name}" for name in node.input]
            copy.output[:] = [f"{number}.{name}" for name in node.output]
            nodes.append(copy)
        inputs += [helper.make_tensor_value_info(f"{number}.{n}", TensorProto.FLOAT, s) for n, s in one.inputs.items()]
        constants += [numpy_helper.from_array(value, f"{number}.{name}") for name, value in one.constants.items()]
        outputs.append(helper.make_tensor_value_info(f"{number}.y", TensorProto.FLOAT, None))
    graph = helper.make_graph(nodes, "choices", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def tune(contractions, options, folder):
    """What `mlc tune` says of each problem, with the contraction that it belongs to."""
    path = os.path.join(folder, "model.onnx")
    onnx.save(model(contractions), path)
    command = [options.mlc, "tune", path, "-o", os.path.join(folder, "device.json"), "--json",
               "--iterations", str(options.iterations)]
    if options.target:
        command += ["--target", options.target]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"mlc tune: {done.stderr[-1000:]}")
    for problem in json.loads(done.stdout.splitlines()[-1])["problems"]:
        if problem["loss"] is not None:
            yield contractions[int(problem["nodes"][0].split(".")[0])], problem


def name(candidate):
    return f"{candidate['strategy']} {candidate['variant'] or ''}".strip()


def line(one, problem):
    chosen = problem["candidates"][0]
    fastest = min((c for c in problem["candidates"] if c["ns"] is not None), key=lambda c: c["ns"])
    correlation = problem["rank_correlation"]
    rate = 2 * one.work / fastest["ns"]
    return (
        f"{'*' if problem['loss'] > MARK else ' '} {problem['loss'] - 1:6.1%}  "
        f"{'    –' if correlation is None else format(correlation, '5.2f')}  {fastest['ns'] / 1e3:8.1f} µs  "
        f"{rate:6.1f} GFLOP/s  "
        f"{name(chosen):22} → {name(fastest):22} {one.kind:9} {one.text}"
    )


def summary(label, problems):
    losses = [problem["loss"] for problem in problems]
    known = [problem["rank_correlation"] for problem in problems if problem["rank_correlation"] is not None]
    mean = math.exp(sum(map(math.log, losses)) / len(losses)) - 1
    correlation = f"{sum(known) / len(known):.2f}" if known else "–"
    above = sum(loss > MARK for loss in losses)
    return f"{label:9} {len(losses):4}: regret {mean:5.1%} on average, {max(losses) - 1:5.1%} at most, " \
        f"{above} above {MARK - 1:.0%}; rank correlation {correlation}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=".", help=f"a regular expression that kinds match: {', '.join(KINDS)}")
    parser.add_argument("--target", help="a device of which this machine runs code")
    parser.add_argument("--iterations", type=int, default=15, help="predictions that each candidate is measured in")
    parser.add_argument("--together", type=int, default=9, help="contractions of one model")
    parser.add_argument("--results", help="a file that gets a line of JSON for each contraction too")
    options = parser.parse_args()
    contractions, found = drawn(options), []
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, len(contractions), options.together):
            found += tune(contractions[first:first + options.together], options, folder)
    for one, problem in sorted(found, key=lambda pair: -pair[1]["loss"]):
        print(line(one, problem))
    if options.results:
        with open(options.results, "w") as file:
            for one, problem in found:
                file.write(json.dumps({"kind": one.kind, "text": one.text, "work": one.work, **problem}) + "\n")
    for kind in KINDS:
        of_kind = [problem for one, problem in found if one.kind == kind]
        if of_kind:
            print(summary(kind, of_kind))
    if not found:
        sys.exit("nothing to choose between")
    print(summary("all", [problem for _, problem in found]))


if __name__ == "__main__":
    main()

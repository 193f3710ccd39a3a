#!/usr/bin/env python3
"""Operators of networks with shapes drawn from a seed, beside onnxruntime: one thread, in turns.

  draw_operators.py [--mlc PATH] [--count N] [--seed S] [--out DIR] [--check | --prepared] [REGEX]

Case S.I of a family is the same in every run, whatever else is drawn; families take turns, REGEX takes some of them.
First all cases are compiled and their outputs compared with onnxruntime's; --check ends there. Then each is timed:
least processor time of a prediction, over rounds in which both take turns. --prepared times what an earlier run left in
DIR.
Prints a line a case, then those above 1.2, and the geometric mean; those below 10 microseconds, where calls and not
kernels are compared, apart. Ends with 1 when an output differs or a case is refused.
"""
import json
import math
import os
import re
import sys
import time

import numpy as np
import onnx

import answers
import bench
import drawn

OPSET = 20
SHORT = 0.01


def build(family, seed):
    """The model, its inputs, and what it is called in a table."""
    draw, graph = drawn.graph.Draw(seed), drawn.graph.Graph()
    model = graph.model(drawn.FAMILIES[family](draw, graph), OPSET)
    return model, graph.inputs, graph.summary()


def cases(options):
    """Names and seeds of the cases, families in turns."""
    families = [name for name in drawn.FAMILIES if re.search(options.regex, name)]
    for number in range(options.count):
        family, draw = families[number % len(families)], number // len(families)
        place = list(drawn.FAMILIES).index(family)
        yield f"{family}-{options.seed}.{draw}", family, [options.seed, draw, place]


def difference(expected, actual):
    """The largest of two outputs, by the largest element; whole numbers of eight bits may be rounded otherwise."""
    if expected.shape != actual.shape or expected.dtype != actual.dtype:
        return math.inf
    if expected.size == 0:
        return 0.0
    first, second = (value.astype(np.float64) for value in (expected, actual))
    same = (first == second) | (np.isnan(first) & np.isnan(second))
    most = np.abs(first[np.isfinite(first)]).max(initial=0) or 1
    return float((np.where(same, 0, np.abs(first - second)) / most).max())


def tolerance(dtype):
    if dtype.kind == "f":
        return {2: 5e-3, 4: 2e-4, 8: 1e-6}[dtype.itemsize]
    return 0.01 if dtype.itemsize == 1 and dtype.kind in "iu" else 0


def prepare(name, family, seed, options):
    """Writes model, inputs and package; answers what is wrong, or None."""
    base = os.path.join(options.out, name)
    model, inputs, text = build(family, seed)
    onnx.save(model, base + ".onnx")
    np.savez(base + ".npz", **inputs)
    with open(base + ".txt", "w") as file:
        file.write(text)
    try:
        expected = answers.of_onnxruntime(base + ".onnx", inputs)
    except Exception as problem:
        print(f"{name}: onnxruntime: {' '.join(str(problem).split())[:200]}", flush=True)
        os.remove(base + ".onnx")
        return None
    try:
        answers.run(options.mlc, "compile", base + ".onnx", "-o", base + ".mlmodelc")
        actual = answers.of_mlc(options.mlc, base + ".mlmodelc", inputs)
    except answers.Refused as problem:
        return f"{problem} [{text}]"
    for output, value in expected.items():
        found = difference(value, actual[output])
        if not found <= tolerance(value.dtype):
            return f"differs by {found:.2e} [{text}]"
    return None


def measure(base, options):
    """Least milliseconds of onnxruntime and of mlc."""
    with np.load(base + ".npz") as file:
        inputs = dict(file)
    infer = bench.start_ort(base + ".onnx", 1, inputs)[0]

    def theirs():
        start = time.process_time()
        infer()
        return (time.process_time() - start) * 1e3

    def ours(count):
        command = [options.mlc, "bench", base + ".mlmodelc", "--inputs", base + ".npz", "--threads", "1", "--json"]
        return json.loads(answers.run(*command, "--iterations", str(count)).strip().splitlines()[-1])["cpu_ms"]

    theirs()
    count = int(min(300, max(3, options.budget / options.rounds / max(theirs() / 1e3, 1e-6))))
    pairs = [(min(theirs() for _ in range(count)), min(ours(count))) for _ in range(options.rounds)]
    return [min(values) for values in zip(*pairs)]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def report(rows):
    """What is slower than 1.2, and the means."""
    for short, title in ((False, "cases"), (True, f"cases below {SHORT * 1e3:.0f} microseconds")):
        chosen = [row for row in rows if (max(row["ort_ms"], row["mlc_ms"]) < SHORT) == short]
        slow = sorted((row for row in chosen if row["ratio"] > 1.2), key=lambda row: -row["ratio"])
        for row in slow:
            print(f"{row['ratio']:8.2f}  {row['ort_ms']:9.4f} {row['mlc_ms']:9.4f}  {row['name']}  {row['text']}")
        average = mean([row["ratio"] for row in chosen])
        print(f"{len(chosen)} {title}: geometric mean {average:.3f}, {len(slow)} above 1.2")


def time_all(names, options):
    os.sched_setaffinity(0, {options.core})
    rows = []
    for name in names:
        base = os.path.join(options.out, name)
        if not (os.path.exists(base + ".mlmodelc") and os.path.exists(base + ".onnx")):
            continue
        theirs, ours = measure(base, options)
        with open(base + ".txt") as file:
            text = file.read()
        rows.append({"name": name, "ort_ms": theirs, "mlc_ms": ours, "ratio": ours / theirs, "text": text})
        print(f"{ours / theirs:8.2f}  ort {theirs:9.4f}  mlc {ours:9.4f} ms  {name}", flush=True)
        with open(os.path.join(options.out, "results.jsonl"), "a") as file:
            file.write(bench.line(rows[-1]) + "\n")
    report(rows)


def main():
    parser = bench.operator_arguments(__doc__, "drawn", rounds=3, budget=0.2)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="compare outputs, measure nothing")
    parser.add_argument("--prepared", action="store_true", help="measure what an earlier run compiled")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    chosen, wrong = list(cases(options)), []
    for name, family, seed in [] if options.prepared else chosen:
        problem = prepare(name, family, seed, options)
        if problem:
            print(f"{name}: {problem}", flush=True)
            wrong.append(name)
    if not options.check:
        time_all([name for name, *_ in chosen if name not in wrong], options)
    sys.exit(f"wrong: {', '.join(wrong)}" if wrong else 0)


if __name__ == "__main__":
    main()

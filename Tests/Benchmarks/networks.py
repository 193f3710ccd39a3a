#!/usr/bin/env python3
"""Networks of many families beside onnxruntime and OpenVINO: exported from PyTorch, compiled, compared, timed in turns.

  networks.py [--mlc PATH] [--threads N] [--rounds N] [options] [REGEX ...]

A network whose name has a match of one of the REGEX is taken, or every one. export_networks.py writes its ONNX file and
inputs into --out unless they are there. The models of --models are taken whatever they are called. Prints a line for each
network, at the end all of them again with the slowest first, then the geometric means:
  ort, ov, mlc      milliseconds of each: the tenth percentile
  /ort, /ov         mlc's time over theirs: medians over rounds of the fastest runs, and of processor time
  dB                signal to noise of mlc's outputs, the worst one's, beside onnxruntime's
  compile           seconds that 'mlc compile' took
A network that mlc refuses, or an engine fails on, has a line with the message, and the command ends with 1; so it does
where an output has less than --least-db. --results gets a JSON object a line, as bench.py writes them, to which
"compile_s", "code_bytes" and "snr_db" are added; report.py makes a table and a picture of it.
"""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time

import answers
import bench
from answers import Refused, run

HERE = os.path.dirname(os.path.abspath(__file__))
EXPORTER = [sys.executable, "-W", "ignore", os.path.join(HERE, "export_networks.py")]


def stem(path):
    return os.path.basename(path).removesuffix(".onnx")


def accuracy(mlc, model, package):
    """The least signal to noise of an output."""
    inputs = bench.inputs_of(model, 0)
    expected = answers.of_onnxruntime(model, inputs)
    return answers.least_decibels(expected, answers.of_mlc(mlc, package, inputs))


def code_bytes(package):
    """Those of the package's shared objects."""
    paths = (os.path.join(folder, name) for folder, _, names in os.walk(package) for name in names)
    return sum(os.path.getsize(path) for path in paths if path.endswith("kernels.so"))


def exported(name, options):
    """The path of the network's ONNX file."""
    for model in options.models:
        if stem(model) == name:
            return model
    model = os.path.join(options.out, f"{name}.onnx")
    if not os.path.exists(model):
        # A process of its own: PyTorch's threads and memory are gone before anything is measured.
        run(*EXPORTER, options.out, name)
    return model


def measured(name, options):
    """Rows of results by engine."""
    failure = {"model": name, "threads": options.threads, "engine": "mlc"}
    try:
        model = exported(name, options)
    except Refused as problem:
        return {"mlc": {**failure, "error": f"not exported: {problem}"}}
    package = os.path.join(options.out, name + (f".{options.target}" if options.target else "") + ".mlmodelc")
    target = ["--target", options.target] if options.target else []
    rows, facts = {}, {}
    command = f"mlc={bench.mlc_command(options.mlc, package)} --warmup 1"
    settings = argparse.Namespace(**dict(vars(options), exec=[command], seed=0))
    try:
        start = time.perf_counter()
        run(options.mlc, "compile", model, "-o", package, *target)
        facts["compile_s"] = time.perf_counter() - start
        facts["code_bytes"] = code_bytes(package)
        facts["snr_db"] = accuracy(options.mlc, model, package)
    except Refused as problem:
        rows["mlc"] = {**failure, "error": str(problem)}
        settings.exec = []
    bench.bench(model, settings, lambda row: rows.update({row["engine"]: row}))
    rows["mlc"].update(facts)
    with open(options.results, "a") as file:
        file.writelines(bench.line(row) + "\n" for row in rows.values())
    return rows


HEAD = f"{'':30}   ort ms    ov ms   mlc ms    /ort   cpu     /ov   cpu   dB  compile s"


def shown(name, rows):
    """One line of the table, and one for each message."""

    def cell(engine, key, width, digits=2):
        value = rows.get(engine, {}).get(key)
        return f"{'-' if value is None else f'{value:.{digits}f}':>{width}}"

    times = " ".join(cell(engine, "ms_p10", 8) for engine in ("ort", "ov", "mlc"))
    ratios = "   ".join(f"{cell('mlc', f'ratio_{e}', 5)} {cell('mlc', f'ratio_{e}_cpu', 5)}" for e in ("ort", "ov"))
    lines = [f"{name:30} {times}   {ratios}  {cell('mlc', 'snr_db', 3, 0)}  {cell('mlc', 'compile_s', 9, 1)}"]
    lines += [f"  {engine}: {row['error']}" for engine, row in rows.items() if "error" in row]
    return "\n".join(lines)


def summarise(results):
    """All lines again, the worst first, and the geometric means."""
    print("\n" + HEAD)
    for name in sorted(results, key=lambda name: bench.slowness(results[name]["mlc"]), reverse=True):
        print(shown(name, results[name]))
    for key in ("ratio_ort", "ratio_ort_cpu", "ratio_ov", "ratio_ov_cpu"):
        values = [rows["mlc"][key] for rows in results.values() if key in rows["mlc"]]
        if values:
            mean = math.exp(statistics.fmean(map(math.log, values)))
            print(f"geometric mean of {key}: {mean:.3f} of {len(values)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("regex", nargs="*", metavar="REGEX")
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--target", help="what 'mlc compile' compiles for, unless this machine")
    parser.add_argument("--models", nargs="*", default=[], metavar="MODEL.onnx", help="models measured before networks")
    parser.add_argument("--out", default=".cache/networks", help="folder for models and packages")
    parser.add_argument("--results", default=".cache/bench/networks.jsonl", help="file to which results are appended")
    parser.add_argument("--engines", default="ort,ov", help="those beside mlc")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds an engine gets for all rounds of a network")
    parser.add_argument("--core", type=int, default=0, help="the first core to pin to")
    parser.add_argument("--least-db", type=float, default=80, help="the least signal to noise that is right")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    os.makedirs(os.path.dirname(os.path.abspath(options.results)), exist_ok=True)
    names = run(*EXPORTER, "--list").split()
    chosen = [stem(model) for model in options.models]
    chosen += [name for name in names if not options.regex or any(re.search(regex, name) for regex in options.regex)]
    if not chosen:
        sys.exit(f"no network is named so; there are {', '.join(names)}")
    results, failed = {}, []
    print(HEAD)
    for name in chosen:
        results[name] = measured(name, options)
        print(shown(name, results[name]), flush=True)
        right = results[name]["mlc"].get("snr_db", -math.inf) >= options.least_db
        if not right or any("error" in row for row in results[name].values()):
            failed.append(name)
    summarise(results)
    sys.exit(f"failed or wrong: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()

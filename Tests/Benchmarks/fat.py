#!/usr/bin/env python3
"""What a package for several devices costs beside one for a single device: megabytes, and time on one thread.

    Tests/Benchmarks/fat.py --mlc .build/release/mlc MODEL.onnx…

Devices are those that this machine runs, or those that --targets names. A line for each model and device: the package
for this device alone, the one for all, their ratio, and the median of rounds of the ratio of their medians in turns.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile


def answer(command):
    """The JSON object that a command prints last."""
    return json.loads(subprocess.run(command + ["--json"], check=True, capture_output=True).stdout.splitlines()[-1])


def size(package):
    """Megabytes of all files in a folder."""
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(package) for name in names) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--targets", type=lambda text: text.split(","))
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    here = [device["name"] for device in answer([options.mlc, "devices"])["devices"] if device["runs_here"]]
    targets = options.targets or here
    if len(targets) < 2:
        parser.error("this machine runs code for one device alone: name others with --targets")
    print(f"{'model':20} {'device':12} {'alone MB':>10} {len(targets):>4} MB {'ratio':>6} {'time':>6}")
    for model in options.models:
        name = os.path.splitext(os.path.basename(model))[0]
        with tempfile.TemporaryDirectory() as folder:

            def compiled(names, label):
                package = f"{folder}/{label}.mlmodelc"
                answer([options.mlc, "compile", model, "-o", package, "--target", ",".join(names)])
                return package

            every = compiled(targets, "all")
            for device in targets:
                alone = compiled([device], device)
                ratio = "–"
                if device in here:
                    bench = [options.mlc, "bench", every, "--target", device, "--against", alone, "--threads", "1"]
                    bench += ["--iterations", str(options.iterations)]
                    ratios = [answer(bench)["against"]["ratio"] for _ in range(options.rounds)]
                    ratio = f"{statistics.median(ratios):.2f}"
                mine, whole = size(alone), size(every)
                print(f"{name:20} {device:12} {mine:10.2f} {whole:7.2f} {whole / mine:6.2f} {ratio:>6}", flush=True)


if __name__ == "__main__":
    main()

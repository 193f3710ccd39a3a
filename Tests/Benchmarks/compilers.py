#!/usr/bin/env python3
"""Latency of code by several C compilers as a ratio to the first one's: the median of rounds in turns, one thread.

    Tests/Benchmarks/compilers.py --mlc .build/release/mlc clang,gcc MODEL.onnx…
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("compilers", type=lambda text: text.split(","))
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            fastest = {compiler: [] for compiler in options.compilers}
            for compiler in options.compilers:
                command = [options.mlc, "compile", model, "-o", f"{folder}/{compiler}.mlmodelc"]
                environment = dict(os.environ, MLC_CC=compiler)
                subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            for _ in range(options.rounds):
                for compiler in options.compilers:
                    command = [options.mlc, "bench", f"{folder}/{compiler}.mlmodelc", "--threads", "1"]
                    run = subprocess.run(command + ["--iterations", "5", "--json"], check=True, capture_output=True)
                    fastest[compiler].append(min(json.loads(run.stdout.splitlines()[-1])["ms"]))
            first = fastest[options.compilers[0]]
            ratios = {
                compiler: statistics.median(a / b for a, b in zip(times, first)) for compiler, times in fastest.items()
            }
            print(os.path.basename(model), " ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()), flush=True)


if __name__ == "__main__":
    main()

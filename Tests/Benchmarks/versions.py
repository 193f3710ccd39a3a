#!/usr/bin/env python3
"""What a change of mlc does to models' time: this mlc's packages over another one's, the median of rounds in turns.

    Tests/Benchmarks/versions.py --mlc .build/release/mlc --old OTHER/mlc [--kernels] MODEL.onnx…

With --kernels also those steps whose least time in all rounds differs by a twentieth or more, where both packages have
the same steps: microseconds of the other one, of this one, their ratio.
"""
import argparse
import os
import statistics
import tempfile

from fat import answer


def print_kernels(old, new):
    """Prints steps that take another time, of runs of the old package and the new one."""
    if [step["results"] for step in old[0]] != [step["results"] for step in new[0]]:
        return print("  other steps: no comparison by kernel")
    for index, step in enumerate(new[0]):
        before, after = (min(run[index]["us"] for run in runs) for runs in (old, new))
        if before > 0 and abs(after / before - 1) >= 0.05:
            print(f"  {before:9.1f} {after:9.1f} {after / before:6.2f}  {step['kernel']} {', '.join(step['results'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--old", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--target", default="host")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    for model in options.models:
        with tempfile.TemporaryDirectory() as folder:
            packages = {}
            for label, mlc in (("old", options.old), ("new", options.mlc)):
                packages[label] = f"{folder}/{label}.mlmodelc"
                answer([mlc, "compile", model, "-o", packages[label], "--target", options.target])

            def bench(package):
                command = [options.mlc, "bench", packages[package], "--threads", str(options.threads)]
                command += ["--iterations", str(options.iterations)]
                return answer(command + (["--ops", "--order", "execution"] if options.kernels else []))

            runs = {"old": [], "new": []}
            for number in range(options.rounds):
                for label in ("old", "new") if number % 2 else ("new", "old"):
                    runs[label].append(bench(label))
            ratios = [min(new["ms"]) / min(old["ms"]) for old, new in zip(runs["old"], runs["new"])]
            times = [min(min(run["ms"]) for run in runs[label]) for label in ("old", "new")]
            print(
                f"{os.path.basename(model):32} {times[0]:9.3f} ms {times[1]:9.3f} ms {statistics.median(ratios):6.2f}"
                f"  ({min(ratios):.2f} to {max(ratios):.2f})",
                flush=True,
            )
            if options.kernels:
                print_kernels(*([run["ops"] for run in runs[label]] for label in ("old", "new")))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How long `swift build` takes in a package with a model, and what it writes, for each way to have mlc.

    Tests/Benchmarks/builds.py [--ways sources,installed,bundle] [--configurations debug,release]

The package is the one of Specs/Manual/SwiftPackages.md. `sources` depends on the sources of mlc and builds the command with
the program; `installed` does too, but runs the mlc that MLC names; `bundle` depends on the package that `make dist` wrote into
.build/dist. Seconds of one build each, one after the other: from clean (with the first prediction behind it), without a
change, after a first and a second change of a line of the program, after a change of the model, again without a change. From
clean nothing is fetched: SwiftPM has the packages that mlc depends on in its cache. Then megabytes of the program and of its
model for the two devices of the page.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Examples"))
import documented_package

STEPS = ["clean", "no change", "line 1", "line 2", "model", "no change"]


def build(folder, arguments, environment):
    """Seconds of one build; its log where it fails."""
    begin = time.monotonic()
    done = subprocess.run(["swift", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.monotonic() - begin, done.stdout.strip().splitlines()


def change(path, data):
    with open(path, "ab") as file:
        file.write(data)


def measure(folder, configuration, environment):
    """Seconds of each of STEPS; the program's folder."""
    app, model = folder / "Sources/App/App.swift", folder / "Sources/App/Sine.onnx"
    # A line of its own to the program; a doc_string, field 6 of ModelProto, of which the last counts, to the model.
    edits = [None, None, (app, b"// One.\n"), (app, b"// Two.\n"), (model, b"\x32\x01a"), None]
    seconds = []
    for step, edit in enumerate(edits):
        if edit:
            change(*edit)
        taken, lines = build(folder, ["build" if step else "run", "-c", configuration], environment)
        if step == 0 and lines[-1] != "sin 1 = 0.84":
            sys.exit(f"the program printed {lines[-1]}")
        seconds.append(taken)
    at = subprocess.run(
        ["swift", "build", "-c", configuration, "--show-bin-path"], cwd=folder, env=environment, check=True,
        capture_output=True, text=True).stdout.strip()
    return seconds, pathlib.Path(at)


def megabytes(path):
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ways", default="sources,installed,bundle", type=lambda text: text.split(","))
    parser.add_argument("--configurations", default="debug,release", type=lambda text: text.split(","))
    options = parser.parse_args()
    dist = ROOT / ".build/dist"
    staged = next(iter(dist.glob("mlc-*-linux-*/bin/mlc")), None)
    package = next(iter(dist.glob("mlc-*-swift")), None)
    if staged is None or package is None:
        parser.error("there is no .build/dist: run 'make dist' first")
    ways = {
        "sources": (str(ROOT), {}),
        "installed": (str(ROOT), {"MLC": str(staged)}),
        "bundle": (str(package), {}),
    }
    print(f"{'mlc':10} {'for':8}" + "".join(f"{step:>10}" for step in STEPS) + f"{'App MB':>10}{'model MB':>10}", flush=True)
    for way in options.ways:
        mlc, variables = ways[way]
        environment = {name: value for name, value in os.environ.items() if name != "MLC"} | variables
        for configuration in options.configurations:
            with tempfile.TemporaryDirectory() as work:
                folder = pathlib.Path(work, "App")
                folder.mkdir()
                documented_package.write(folder, mlc)
                seconds, at = measure(folder, configuration, environment)
                sizes = [megabytes(at / "App"), megabytes(at / "App_App.resources")]
            print(
                f"{way:10} {configuration:8}" + "".join(f"{taken:10.1f}" for taken in seconds)
                + "".join(f"{size:10.2f}" for size in sizes), flush=True)


if __name__ == "__main__":
    main()

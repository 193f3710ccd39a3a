#!/usr/bin/env python3
"""Compiles networks with bf16 arithmetic for this machine and times them beside OpenVINO's default, one thread, in
turns (`bench.py`): FOLDER/NAME.mlmodelc. `bf16.py --mlc MLC --folder FOLDER MODEL.onnx …`.

Beside the times stands how far either is from onnxruntime's float32 results on the same inputs: the signal-to-noise
ratio of the worst output, in dB.
"""
import argparse
import json
import math
import os
import subprocess
import sys

import openvino as ov

import answers
import bench


def accuracy(mlc, model, package):
    """Of OpenVINO's default and of `package`, beside onnxruntime."""
    inputs = bench.inputs_of(model, 0)
    expected = answers.of_onnxruntime(model, inputs)
    request = ov.Core().compile_model(model, "CPU").create_infer_request()
    request.infer(inputs)
    default = {name: request.get_output_tensor(place).data for place, name in enumerate(expected)}
    return {
        "mlc_db": answers.least_decibels(expected, answers.of_mlc(mlc, package, inputs)),
        "ov_default_db": answers.least_decibels(expected, default),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--folder", default=".cache/bf16")
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for model in options.models:
        name = os.path.basename(model).removesuffix(".onnx")
        package = os.path.join(options.folder, f"{name}.mlmodelc")
        answers.run(options.mlc, "compile", model, "-o", package, "--arithmetic", "bf16")
        print(bench.line({"model": name, **accuracy(options.mlc, model, package)}), flush=True)
    results = os.path.join(options.folder, "results.jsonl")
    if os.path.exists(results):
        os.remove(results)
    command = bench.mlc_command(options.mlc, os.path.join(options.folder, "{name}.mlmodelc"))
    harness = [sys.executable, bench.__file__, "--engines", "ov_default", "--exec", f"mlc={command}", "--out", results]
    subprocess.run([*harness, *options.models], check=True)
    with open(results) as file:
        lines = [json.loads(line) for line in file]
    ratios = [line["ratio_ov_default"] for line in lines if line["engine"] == "mlc"]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(bench.line({"geometric_mean_ratio_ov_default": mean, "models": len(ratios)}))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compiles networks with bf16 arithmetic for this machine and times them beside OpenVINO's default, one thread, in turns
(`bench.py`): FOLDER/NAME.mlmodelc. `bf16.py --mlc MLC --folder FOLDER MODEL.onnx …`.

Beside the times stands how far either is from onnxruntime's float32 results on the same inputs: the signal-to-noise ratio of the
worst output, in dB.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime as ort
import openvino as ov

import bench


def decibels(expected, actual):
    """The least signal-to-noise ratio of an output."""
    ratios = []
    for want, got in zip(expected, actual):
        want, got = want.astype(np.float64), got.astype(np.float64)
        noise = np.square(got - want).sum()
        ratios.append(10 * math.log10(np.square(want).sum() / noise) if noise else math.inf)
    return min(ratios)


def accuracy(mlc, model, package):
    """Of OpenVINO's default and of `package`, beside onnxruntime."""
    inputs = bench.inputs_of(model, 0)
    session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
    expected = session.run(None, inputs)
    request = ov.Core().compile_model(model, "CPU").create_infer_request()
    request.infer(inputs)
    default = [request.get_output_tensor(i).data for i in range(len(expected))]
    with tempfile.TemporaryDirectory() as folder:
        given, made = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
        np.savez(given, **inputs)
        command = [mlc, "predict", package, "--inputs", given, "-o", made]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with np.load(made) as file:
            own = [file[output.name] for output in session.get_outputs()]
    return {"mlc_db": decibels(expected, own), "ov_default_db": decibels(expected, default)}


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
        command = [options.mlc, "compile", model, "-o", package, "--arithmetic", "bf16"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        print(bench.line({"model": name, **accuracy(options.mlc, model, package)}), flush=True)
    results = os.path.join(options.folder, "results.jsonl")
    if os.path.exists(results):
        os.remove(results)
    command = f"{options.mlc} bench {options.folder}/{{name}}.mlmodelc --inputs {{inputs_npz}} --iterations {{repeat}} "
    command += "--threads {threads} --json"
    harness = [sys.executable, bench.__file__, "--engines", "ov_default", "--exec", f"mlc={command}", "--out", results]
    subprocess.run([*harness, *options.models], check=True)
    with open(results) as file:
        lines = [json.loads(line) for line in file]
    ratios = [line["ratio_ov_default"] for line in lines if line["engine"] == "mlc"]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(bench.line({"geometric_mean_ratio_ov_default": mean, "models": len(ratios)}))


if __name__ == "__main__":
    main()

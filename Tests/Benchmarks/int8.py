#!/usr/bin/env python3
"""Quantises networks of the zoo with onnxruntime's own tool: FOLDER/NAME_u8s8.onnx, NAME_s8s8.onnx, and NAME_u8s8.mlmodelc, …

Weights are int8 for each output channel, activations uint8, or int8 around 0; QuantizeLinear and DequantizeLinear stand around
float operators. `int8.py --mlc MLC --folder FOLDER MODEL.onnx …` compiles what it made and times it beside onnxruntime, one thread,
in turns (`bench.py`).
"""
import argparse
import logging
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

import bench

FORMS = {
    "u8s8": dict(activation_type=QuantType.QUInt8),
    "s8s8": dict(activation_type=QuantType.QInt8, extra_options={"ActivationSymmetric": True}),
}


class Samples(CalibrationDataReader):
    """A few seeded inputs of the model's own shapes."""

    def __init__(self, model):
        self.left = iter([self.draw(model, seed) for seed in range(2)])

    @staticmethod
    def draw(model, seed):
        random = np.random.default_rng([7, seed])
        constants = {tensor.name for tensor in model.graph.initializer}
        inputs = [value for value in model.graph.input if value.name not in constants]
        shapes = [[extent.dim_value or 1 for extent in value.type.tensor_type.shape.dim] for value in inputs]
        return {
            value.name: random.standard_normal(shape, dtype=np.float32) for value, shape in zip(inputs, shapes)
        }

    def get_next(self):
        return next(self.left, None)


def quantise(source, target, options):
    """Writes `target` unless it is newer than `source`."""
    if os.path.exists(target) and os.path.getmtime(target) > os.path.getmtime(source):
        return
    with tempfile.TemporaryDirectory() as folder:
        # One file, and batch norms in weights first, as the tool advises.
        whole, prepared = os.path.join(folder, "whole.onnx"), os.path.join(folder, "prepared.onnx")
        onnx.save(onnx.load(source), whole)
        quant_pre_process(whole, prepared, skip_symbolic_shape=True)
        samples = Samples(onnx.load(prepared))
        quantize_static(
            prepared,
            target + ".part",
            samples,
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            weight_type=QuantType.QInt8,
            **options,
        )
    os.replace(target + ".part", target)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--folder", default=".cache/int8")
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    logging.getLogger().setLevel(logging.ERROR)
    os.makedirs(options.folder, exist_ok=True)
    made = []
    for source in options.models:
        name = os.path.splitext(os.path.basename(source))[0]
        for form, settings in FORMS.items():
            target = os.path.join(options.folder, f"{name}_{form}.onnx")
            quantise(source, target, settings)
            package = target.replace(".onnx", ".mlmodelc")
            subprocess.run([options.mlc, "compile", target, "-o", package], check=True, stdout=subprocess.DEVNULL)
            made.append(target)
    command = bench.mlc_command(options.mlc, os.path.join(options.folder, "{name}.mlmodelc"))
    sys.exit(subprocess.run([sys.executable, bench.__file__, "--exec", f"mlc={command}", *made]).returncode)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes quantised models into .cache/quantised, and what onnxruntime answers.

NAME.onnx and NAME.npz: inputs and outputs by name, and for each output as OUTPUT.quantum how far apart neighbouring
numbers are. `operators` and `decoders` have nodes of onnxruntime's domain and of ONNX beside each other; the others
are a convolutional network and a transformer block that onnxruntime.quantization quantised. Weights keep to 7 bits:
processors without dot products of bytes saturate sums of pairs otherwise. What is up to date is left alone.
"""
import logging
import os
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static

from corpora import CACHE, HERE, make
from quantised.decoders import decoders
from quantised.networks import convolutional, transformer
from quantised.operators import operators

FOLDER = os.path.join(CACHE, "quantised")


class Samples(CalibrationDataReader):
    def __init__(self, shape):
        draws = [np.random.default_rng([7, number]) for number in range(4)]
        self.left = iter([{"x": draw.standard_normal(shape, dtype=np.float32)} for draw in draws])

    def get_next(self):
        return next(self.left, None)


def record(name, model, inputs, quanta=None):
    options = onnxruntime.SessionOptions()
    (options.log_severity_level, options.intra_op_num_threads) = (3, 1)
    # The file as it is written: what onnxruntime fuses between a DequantizeLinear and a QuantizeLinear it rounds
    # otherwise, and its own answers then lie up to three quanta apart.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    outputs = dict(zip(names, session.run(names, inputs)))
    for output, values in outputs.items():
        if values.dtype.kind in "iu":
            quantum = 1.0
        elif quanta is None:
            # Float results of single operators are not rounded to steps.
            quantum = 1e-5 * float(np.abs(values).max())
        else:
            quantum = quanta or float(values.max() - values.min()) / 255
        inputs = inputs | {output: values, f"{output}.quantum": np.float64(quantum)}
    onnx.save(model, os.path.join(FOLDER, f"{name}.onnx"))
    np.savez(os.path.join(FOLDER, f"{name}.npz"), **inputs)


def step(model):
    """The scale of the DequantizeLinear that makes the output; 0 when another operator does."""
    (last,) = [node for node in model.graph.node if model.graph.output[0].name in node.output]
    scales = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    return float(scales[last.input[1]]) if last.op_type == "DequantizeLinear" else 0


def quantise(name, model, shape):
    x = {"x": np.random.default_rng(11).standard_normal(shape, dtype=np.float32)}
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "source.onnx"), os.path.join(folder, "target.onnx")
        onnx.save(model, source)
        forms = {
            "qdq": dict(quant_format=QuantFormat.QDQ, per_channel=True),
            "qoperator": dict(quant_format=QuantFormat.QOperator),
        }
        for form, options in forms.items():
            options |= dict(activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, reduce_range=True)
            quantize_static(source, target, Samples(shape), **options)
            quantised = onnx.load(target)
            record(f"{name}_{form}", quantised, x, quanta=step(quantised))
        quantize_dynamic(source, target, weight_type=QuantType.QUInt8, reduce_range=True)
        record(f"{name}_dynamic", onnx.load(target), x, quanta=0)


def write():
    # The quantiser advises to optimise the float model first.
    logging.getLogger().setLevel(logging.ERROR)
    record("operators", *operators())
    record("decoders", *decoders())
    quantise("convolutional", convolutional(), (16, 3, 12, 12))
    quantise("transformer", transformer(), (2, 6, 16))


def main():
    sources = [__file__] + [os.path.join(HERE, "quantised", name) for name in ("decoders.py", "networks.py", "operators.py")]
    if make(FOLDER, sources, [onnx.__version__, onnxruntime.__version__, np.__version__], write):
        print(f"quantised models in {FOLDER}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the models of the tests: `y = scale · x` for five numbers, as ONNX, and one as a Core ML package.

Needs onnx and, for the package, coremltools.
"""
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Tests", "ModelManagerTests", "Fixtures")


def onnx_model(name, scale):
    graph = helper.make_graph(
        [helper.make_node("Mul", ["x", "scale"], ["y"])],
        "scale",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [5])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [5])],
        [numpy_helper.from_array(np.float32(scale), "scale")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, os.path.join(FOLDER, name))


def coreml_package(name, scale):
    import coremltools as ct
    from coremltools.converters.mil import Builder as mb

    @mb.program(input_specs=[mb.TensorSpec(shape=(5,))])
    def program(x):
        return mb.mul(x=x, y=np.float32(scale), name="y")

    model = ct.convert(program, compute_precision=ct.precision.FLOAT32, minimum_deployment_target=ct.target.iOS16)
    model.save(os.path.join(FOLDER, name))


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for name, scale in (("double.onnx", 2), ("treble.onnx", 3)):
        onnx_model(name, scale)
    coreml_package("half.mlpackage", 0.5)


if __name__ == "__main__":
    main()

"""Expands the compressed weights of a package with coremltools: FOLDER/N.bin holds the weight of the N-th `linear` of `main`,
row-major, in float32. Also runs decompress_weights, which must leave no compressed constant.

usage: expand_package.py PACKAGE FOLDER
"""

import os
import sys

import coremltools
import numpy
from coremltools.converters.mil.frontend.milproto import load as milproto
from coremltools.optimize.coreml import decompress_weights


def expanded(var):
    if var.val is not None:
        return var.val
    results = var.op.materialized_val_inference()
    return results[var.op.outputs.index(var)] if isinstance(results, tuple) else results


path, folder = sys.argv[1:]
model = coremltools.models.MLModel(path, skip_model_load=True)
spec = model.get_spec()
weights = os.path.join(path, "Data", "com.apple.CoreML", "weights")
program = milproto.load(spec, spec.specificationVersion, weights)
layers = [operation for operation in program.functions["main"].operations if operation.op_type == "linear"]
for index, operation in enumerate(layers):
    value = numpy.asarray(expanded(operation.inputs["weight"]), dtype=numpy.float32)
    value.tofile(os.path.join(folder, f"{index}.bin"))
plain = decompress_weights(model).get_spec()
for function in plain.mlProgram.functions.values():
    for operation in function.block_specializations[function.opset].operations:
        assert not operation.type.startswith("constexpr_"), operation.type

"""Writes what coremltools makes of the compressed weights in Fixtures: NAME.bin holds the first expanded weight, row-major,
in float16. The packages themselves were written by coremltools 9.0 from its own model builder.

usage: make_fixtures.py
"""

import pathlib

import coremltools
import numpy
from coremltools.converters.mil.frontend.milproto import load as milproto
from coremltools.optimize.coreml import decompress_weights

fixtures = pathlib.Path(__file__).parent / "Fixtures"
for path in sorted(fixtures.glob("mil_*_ios1?.mlpackage")):
    model = decompress_weights(coremltools.models.MLModel(str(path), skip_model_load=True))
    spec = model.get_spec()
    program = milproto.load(spec, spec.specificationVersion, model.weights_dir)
    for operation in program.functions["main"].operations:
        if operation.op_type == "linear":
            weight = numpy.asarray(operation.weight.val, dtype=numpy.float16)
            weight.tofile(fixtures / f"{path.stem}.bin")
            break

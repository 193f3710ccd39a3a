"""Writes what coremltools makes of the compressed weights in Fixtures: NAME.bin holds the first expanded weight, row-major,
in float16; and mil_state_in_branch.mlpackage. The other packages were written by coremltools 9.0 from its own model builder.

usage: make_fixtures.py
"""

import pathlib
import shutil

import coremltools
import numpy
from coremltools.converters.mil import Builder as mb
from coremltools.converters.mil.frontend.milproto import load as milproto
from coremltools.converters.mil.mil import types
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

# A state that is written inside of a branch.
half = types.fp16


@mb.program(
    input_specs=[mb.TensorSpec(shape=(1,), dtype=half), mb.StateTensorSpec(shape=(1,), dtype=half)],
    opset_version=coremltools.target.iOS18,
)
def state_in_branch(x, acc):
    def add():
        return mb.coreml_update_state(state=acc, value=mb.add(x=mb.read_state(input=acc), y=x))

    positive = mb.squeeze(x=mb.greater(x=x, y=numpy.float16(0)), axes=[0])
    return mb.cond(pred=positive, _true_fn=add, _false_fn=lambda: mb.mul(x=x, y=numpy.float16(2)), name="y")


target = fixtures / "mil_state_in_branch.mlpackage"
shutil.rmtree(target, ignore_errors=True)
coremltools.convert(
    state_in_branch, convert_to="mlprogram", minimum_deployment_target=coremltools.target.iOS18
).save(str(target))

"""Writes what coremltools makes of the compressed weights in Fixtures: NAME.bin holds the first expanded weight, row-major,
in float16; mil_state_in_*.mlpackage and nn_enumerated_*.mlmodel. The other packages were written by coremltools 9.0 from its own model builder.

usage: make_fixtures.py
"""

import pathlib
import shutil

import coremltools
import numpy
from coremltools.converters.mil import Builder as mb
from coremltools.converters.mil.frontend.milproto import load as milproto
from coremltools.converters.mil.mil import types
from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder, flexible_shape_utils
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


@mb.program(
    input_specs=[mb.TensorSpec(shape=(1,), dtype=half), mb.StateTensorSpec(shape=(1,), dtype=half)],
    opset_version=coremltools.target.iOS18,
)
def state_in_loop(x, acc):
    def double(count):
        held = mb.read_state(input=acc)
        mb.coreml_update_state(state=acc, value=mb.add(x=held, y=held))
        return mb.add(x=count, y=numpy.float16(1))

    return mb.while_loop(
        _cond=lambda count: mb.squeeze(x=mb.less(x=count, y=x), axes=[0]),
        _body=double,
        loop_vars=[mb.sub(x=x, y=x)],
        name="y",
    )


for program, name in [(state_in_branch, "branch"), (state_in_loop, "loop")]:
    target = fixtures / f"mil_state_in_{name}.mlpackage"
    shutil.rmtree(target, ignore_errors=True)
    coremltools.convert(program, convert_to="mlprogram", minimum_deployment_target=coremltools.target.iOS18).save(str(target))

# Networks whose inputs come in some sizes only.
for name, image in [("image", True), ("array", False)]:
    builder = NeuralNetworkBuilder(
        [("x", datatypes.Array(*((3, 8, 8) if image else (1, 3, 8, 8))))], [("y", None)], disable_rank5_shape_mapping=True)
    builder.add_unary("magnitude", "x", "y", "abs")
    if image:
        builder.set_pre_processing_parameters(["x"], image_scale=1 / 256)
        sizes = [flexible_shape_utils.NeuralNetworkImageSize(height, width) for height, width in [(8, 16), (16, 8)]]
        flexible_shape_utils.add_enumerated_image_sizes(builder.spec, "x", sizes)
    else:
        flexible_shape_utils.add_multiarray_ndshape_enumeration(builder.spec, "x", [(1, 3, 8, 4), (1, 3, 8, 12)])
    coremltools.models.utils.save_spec(builder.spec, str(fixtures / f"nn_enumerated_{name}.mlmodel"))

# What no ML Program says: y = 2 x0 + 3 x1 + 1.
linear = proto.Model_pb2.Model(specificationVersion=1)
linear.glmRegressor.weights.add(value=[2, 3])
linear.glmRegressor.offset[:] = [1]
linear.description.input.add(name="x").type.multiArrayType.shape[:] = [2]
linear.description.input[0].type.multiArrayType.dataType = proto.FeatureTypes_pb2.ArrayFeatureType.DOUBLE
linear.description.output.add(name="y").type.doubleType.SetInParent()
linear.description.predictedFeatureName = "y"
linear.description.metadata.author = "somebody"
coremltools.models.utils.save_spec(linear, str(fixtures / "linear.mlmodel"))

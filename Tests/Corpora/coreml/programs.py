"""Builds ML programs with coremltools, one or a few operators each, and the answers to them: by numpy, or by the operators'
own inference of values where coremltools has it."""

import ast
import inspect
import io
import re
import struct
import zipfile

import coremltools as ct
import numpy as np
from coremltools.converters.mil.mil import Builder as mb
from coremltools.converters.mil.mil import Function, types
from coremltools.converters.mil.mil.ops.registry import SSAOpRegistry

random = np.random.RandomState(7)
archive = {}
operators = {}
TARGETS = [ct.target.iOS15, ct.target.iOS16, ct.target.iOS17, ct.target.iOS18]
iOS15, iOS16, iOS17, iOS18 = TARGETS

BLOB_TYPES = {1: np.float16, 2: np.float32, 3: np.uint8, 4: np.int8, 6: np.int16, 7: np.uint16, 14: np.int32, 15: np.uint32}


def rand(*shape, low=-1.0, high=1.0):
    return random.uniform(low, high, shape).astype(np.float32)


def ints(low, high, *shape):
    return random.randint(low, high, shape).astype(np.int32)


def inline(spec, blob):
    """Constants of the weights file as immediate values, so that a model is one file."""
    def walk(block):
        for operation in block.operations:
            operators.setdefault(operation.type, set()).add(spec.specificationVersion)
            for value in list(operation.attributes.values()) + [
                binding.value for argument in operation.inputs.values() for binding in argument.arguments
                if binding.HasField("value")
            ]:
                if not value.HasField("blobFileValue"):
                    continue
                _, kind, size, offset = struct.unpack_from("<IIQQ", blob, value.blobFileValue.offset)
                data = np.frombuffer(blob, BLOB_TYPES[kind], size // np.dtype(BLOB_TYPES[kind]).itemsize, offset)
                value.ClearField("blobFileValue")
                tensor = value.immediateValue.tensor
                if data.dtype == np.float32:
                    tensor.floats.values.extend(data.tolist())
                elif data.dtype == np.int32:
                    tensor.ints.values.extend(data.tolist())
                else:
                    tensor.bytes.values = data.tobytes()
            for nested in operation.blocks:
                walk(nested)
    for function in spec.mlProgram.functions.values():
        for block in function.block_specializations.values():
            walk(block)


def defaults(kind):
    """The numbers and texts that an operator's optional arguments have when they are left out."""
    found = {}
    for version in filter(None, SSAOpRegistry.core_ops.get(kind, {}).values()):
        for owner in reversed(version.__mro__):
            source = owner.__dict__.get("default_inputs")
            for name, value in re.findall(r"(\w+)\s*=\s*([^,\n)]+)", inspect.getsource(source)) if source else []:
                try:
                    found[name] = ast.literal_eval(value)
                except (SyntaxError, ValueError):
                    pass
    return found


def shorten(block):
    """Leaves out arguments that say what they would be without."""
    constants = {
        operation.outputs[0].name: operation.attributes["val"] for operation in block.operations if operation.type == "const"
    }
    for operation in block.operations:
        for name, standard in defaults(operation.type).items():
            if standard is None or name not in operation.inputs or len(operation.inputs[name].arguments) != 1:
                continue
            binding = operation.inputs[name].arguments[0]
            value = binding.value if binding.HasField("value") else constants.get(binding.name)
            if value is None or value.immediateValue.WhichOneof("value") != "tensor":
                continue
            tensor = value.immediateValue.tensor
            numbers = list(getattr(tensor, tensor.WhichOneof("value")).values)
            if len(numbers) == 1 and type(numbers[0]) is not bytes and (
                numbers[0] == standard or type(standard) is float and np.float32(numbers[0]) == np.float32(standard)
            ):
                del operation.inputs[name]
        for nested in operation.blocks:
            shorten(nested)


def flat(results):
    return [one for result in results for one in flat(result)] if isinstance(results, (tuple, list)) else [results]


def file_model(model):
    """What coremltools made, as one file without what differs from run to run."""
    spec = model.get_spec()
    del spec.mlProgram.attributes["buildInfo"]
    spec.description.metadata.Clear()
    try:
        blob = open(f"{model.weights_dir}/weight.bin", "rb").read()
    except (FileNotFoundError, TypeError):
        blob = b""
    inline(spec, blob)
    return spec


def plain(var):
    """What the interface of a model can give."""
    if var.dtype in (types.fp32, types.int32):
        return mb.identity(x=var)
    return mb.cast(x=var, dtype="fp32" if types.is_float(var.dtype) else "int32")


def inferred(build, arrays, target):
    with Function({}, opset_version=target):
        results = [var.val for var in flat(build(*[mb.const(val=array) for array in arrays]))]
    assert all(value is not None for value in results), "coremltools infers no value; give the answer"
    return results


def case(name, arrays, build, answers=None, target=iOS15, classifier=None):
    """A model of `build` on `arrays`; `answers` are arrays, or a function of the inputs, or inferred."""
    if answers is None:
        answers = inferred(build, arrays, target)
    elif callable(answers):
        answers = flat(answers(*arrays))
    main = program(build, arrays, target, classifier)
    model = ct.convert(
        main, convert_to="mlprogram", minimum_deployment_target=target, compute_precision=ct.precision.FLOAT32,
        pass_pipeline=ct.PassPipeline.EMPTY, skip_model_load=True,
        classifier_config=ct.ClassifierConfig(classifier) if classifier else None,
    )
    spec = file_model(model)
    # Every second model leaves out what it may.
    if len(archive) % 4:
        shorten(next(iter(spec.mlProgram.functions["main"].block_specializations.values())))
    save(name, spec, arrays, flat(answers))


def program(build, arrays, target, classifier):
    """`build` on inputs x0, x1, …: coremltools takes their names from the signature."""
    specs = [
        mb.TensorSpec(shape=array.shape, dtype=types.numpy_type_to_builtin_type(array.dtype)) for array in arrays
    ]

    def body(*inputs):
        results = [plain(var) if classifier is None else var for var in flat(build(*inputs))]
        return results[0] if len(results) == 1 else tuple(results)

    names = ", ".join(f"x{index}" for index in range(len(arrays)))
    scope = {"body": body}
    exec(f"def main({names}): return body({names})", scope)
    return mb.program(input_specs=specs, opset_version=target)(scope["main"])


def save(name, spec, arrays, answers):
    assert f"{name}.mlmodel" not in archive, name
    record = {f"in_{index}": value for index, value in enumerate(arrays)}
    for index, value in enumerate(answers):
        # Numbers of 64 bits are labels; others are what the interface of a model has.
        is_label = isinstance(value, np.int64)
        value = np.asarray(value)
        is_real = np.issubdtype(value.dtype, np.floating)
        if value.dtype.kind != "U" and not is_label:
            value = value.astype(np.float32 if is_real else np.int32)
        record[f"out_{index}"] = value
    stream = io.BytesIO()
    np.savez(stream, **record)
    archive[f"{name}.mlmodel"] = spec.SerializeToString(deterministic=True)
    archive[f"{name}.npz"] = stream.getvalue()


def stored(entries, path, kind):
    with zipfile.ZipFile(path, "w", kind, compresslevel=9) as target:
        for name in sorted(entries):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = kind
            target.writestr(entry, entries[name])


def write(path):
    """An archive in an archive, so that models are compressed together."""
    inner = io.BytesIO()
    stored(archive, inner, zipfile.ZIP_STORED)
    stored({"programs.zip": inner.getvalue()}, path, zipfile.ZIP_DEFLATED)

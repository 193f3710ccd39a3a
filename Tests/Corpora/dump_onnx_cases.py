#!/usr/bin/env python3
"""Writes the backend tests of the installed onnx package into .cache/onnx_cases, a folder a case.

  dump_onnx_cases.py [FOLDER]

KIND/NAME/model.onnx and KIND/NAME/test_data_set_N/{input,output}_I.pb, serialised as the types of the model say. KIND is
`node` and `simple` (made by the package's code), `pytorch-operator`, `pytorch-converted` (files of the package) and
`light` (architectures without trained weights, whose input is a ramp and whose output the package holds).
What the same version of the package wrote before is left alone.
"""
import os
import shutil
import sys
import tempfile
import warnings

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.backend.test.case import model as model_cases
from onnx.backend.test.case import node as node_cases
from onnx.backend.test.loader import DATA_DIR

from corpora import CACHE


def message(value, info):
    """The protobuf message that stands for `value` of the type that `info` declares."""
    kind = info.type.WhichOneof("value")
    if isinstance(value, TensorProto) or kind == "sparse_tensor_type":
        return value
    make = {
        "sequence_type": numpy_helper.from_list,
        "optional_type": numpy_helper.from_optional,
        "map_type": numpy_helper.from_dict,
    }.get(kind)
    return make(value, info.name) if make else numpy_helper.from_array(np.asarray(value), info.name)


def write(path, proto):
    with open(path, "wb") as file:
        file.write(proto.SerializeToString())


def dump(case, folder):
    os.makedirs(folder)
    write(os.path.join(folder, "model.onnx"), case.model)
    for number, (inputs, outputs) in enumerate(case.data_sets):
        target = os.path.join(folder, f"test_data_set_{number}")
        os.makedirs(target)
        graph = case.model.graph
        for prefix, values, infos in (("input", inputs, graph.input), ("output", outputs, graph.output)):
            for index, value in enumerate(values):
                write(os.path.join(target, f"{prefix}_{index}.pb"), message(value, infos[index]))


def ramp(info):
    """0 … n-1 over n, in the input's shape: what the recorded outputs of the light models answer."""
    shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
    count = int(np.prod(shape))
    return (np.arange(count) / count).astype(np.float32).reshape(shape)


def dump_light(source, folder):
    for file in sorted(os.listdir(source)):
        name, extension = os.path.splitext(file)
        if extension != ".onnx":
            continue
        data = os.path.join(folder, name, "test_data_set_0")
        os.makedirs(data)
        shutil.copy(os.path.join(source, file), os.path.join(folder, name, "model.onnx"))
        graph = onnx.load(os.path.join(source, file)).graph
        constants = {tensor.name for tensor in graph.initializer}
        for index, info in enumerate(info for info in graph.input if info.name not in constants):
            write(os.path.join(data, f"input_{index}.pb"), numpy_helper.from_array(ramp(info), info.name))
        shutil.copy(os.path.join(source, f"{name}_output_0.pb"), os.path.join(data, "output_0.pb"))


def dump_all(root):
    node = node_cases.collect_testcases(None)
    simple = [case for case in model_cases.collect_testcases() if case.kind == "simple"]
    for case in [*node, *simple]:
        dump(case, os.path.join(root, case.kind, case.name))
    for kind in ("simple", "pytorch-operator", "pytorch-converted"):
        for name in sorted(os.listdir(os.path.join(DATA_DIR, kind))):
            source = os.path.join(DATA_DIR, kind, name)
            if os.path.exists(os.path.join(source, "model.onnx")):
                shutil.copytree(source, os.path.join(root, kind, name), dirs_exist_ok=True)
    dump_light(os.path.join(DATA_DIR, "light"), os.path.join(root, "light"))
    with open(os.path.join(root, "version"), "w") as file:
        file.write(onnx.__version__)


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(CACHE, "onnx_cases")
    try:
        with open(os.path.join(target, "version")) as file:
            if file.read() == onnx.__version__:
                return
    except OSError:
        pass
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(target))) as folder:
        root = os.path.join(folder, "cases")
        os.makedirs(root)
        # Generators overflow and divide by zero on purpose.
        warnings.simplefilter("ignore")
        np.seterr(all="ignore")
        dump_all(root)
        shutil.rmtree(target, ignore_errors=True)
        os.rename(root, target)
    print(f"wrote {target}", flush=True)


if __name__ == "__main__":
    main()

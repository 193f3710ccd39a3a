#!/usr/bin/env python3
"""Makes the .onnx files beside this script. Needs the onnx package; every value follows from an index."""
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
TYPED = {
    "float32": T.FLOAT, "float64": T.DOUBLE, "float16": T.FLOAT16, "bfloat16": T.BFLOAT16,
    "int8": T.INT8, "int16": T.INT16, "int32": T.INT32, "int64": T.INT64,
    "uint8": T.UINT8, "uint16": T.UINT16, "uint32": T.UINT32, "uint64": T.UINT64,
    "bool": T.BOOL, "int4": T.INT4, "uint4": T.UINT4, "int2": T.INT2, "uint2": T.UINT2,
    "float8e4m3fn": T.FLOAT8E4M3FN, "float8e4m3fnuz": T.FLOAT8E4M3FNUZ, "float8e5m2": T.FLOAT8E5M2,
    "float8e5m2fnuz": T.FLOAT8E5M2FNUZ, "float8e8m0": T.FLOAT8E8M0, "float4e2m1": T.FLOAT4E2M1,
}


def values(name, count):
    """(i * 5) mod 13, less 6 where the type is signed; less for types that hold fewer numbers."""
    i = np.arange(count)
    if name == "bool":
        return i % 2
    if name.endswith("int2"):
        return i % 4 - (2 if name == "int2" else 0)
    if name == "float4e2m1":
        return i % 5 - 2
    if name == "float8e8m0":
        return 2.0 ** (i % 5)
    if name == "int4":
        return (i * 5) % 13 - 6
    if name.startswith("uint"):
        return (i * 5) % 13
    return (i * 5) % 13 - 6


def tensor(name, count, raw):
    dtype = TYPED[name]
    array = values(name, count).astype(h.tensor_dtype_to_np_dtype(dtype))
    label = f"{name}_{'raw' if raw else 'typed'}_{count}"
    if raw:
        result = onnx.numpy_helper.from_array(array, label)
        assert result.HasField("raw_data")
        return result
    return h.make_tensor(label, dtype, [count], array)


def save(model, name):
    with open(os.path.join(OUT, name), "wb") as file:
        file.write(model.SerializeToString())


def model(graph, **more):
    return h.make_model(
        graph, ir_version=10, producer_name="fixture", producer_version="1",
        opset_imports=[h.make_opsetid("", 21), h.make_opsetid("com.example", 3)], **more)


def tensors(count):
    """Every element type in both encodings."""
    initializers = [tensor(name, count, raw) for name in TYPED for raw in (False, True)]
    if count < 100:
        initializers.append(h.make_tensor("strings", T.STRING, [2], [b"alpha", "bêta".encode()]))
        initializers.append(h.make_tensor("scalar", T.FLOAT, [], [2.5]))
        initializers.append(h.make_tensor("empty", T.FLOAT, [0, 3], []))
    x = h.make_tensor_value_info("x", T.FLOAT, ["batch", 3])
    y = h.make_tensor_value_info("y", T.FLOAT, None)
    return model(h.make_graph([h.make_node("Relu", ["x"], ["y"])], "tensors", [x], [y], initializers))


def attributes():
    """Every attribute kind."""
    t = h.make_tensor("t", T.INT64, [2], [7, -8])
    sub = h.make_graph([h.make_node("Neg", ["x"], ["z"])], "sub", [], [h.make_tensor_value_info("z", T.FLOAT, None)])
    sparse = h.make_sparse_tensor(
        h.make_tensor("v", T.FLOAT, [2], [1.5, -2.5]), h.make_tensor("i", T.INT64, [2], [1, 5]), [2, 3])
    node = h.make_node("Everything", ["x", "", "x"], ["y"], domain="com.example", i=-3, ints=[1, 2], f=0.5,
                       floats=[1.0, 2.0], s="text", strings=["a", "b"], t=t, g=sub, sparse=sparse)
    graph = h.make_graph([node], "attributes", [h.make_tensor_value_info("x", T.FLOAT, [2])],
                         [h.make_tensor_value_info("y", T.FLOAT, [None, "n", 4])])
    result = model(graph)
    h.set_model_props(result, {"author": "nobody"})
    return result


def control():
    """Bodies that capture, nodes out of order, a function, value kinds, and weights inside of bodies."""
    big = onnx.numpy_helper.from_array(np.arange(600, dtype=np.float32), "big")
    then = h.make_graph(
        [h.make_node("Add", ["late", "big"], ["then_out"])], "then", [],
        [h.make_tensor_value_info("then_out", T.FLOAT, [600])], [big])
    constant = onnx.numpy_helper.from_array(np.arange(600, dtype=np.float32) * 2, "")
    other = h.make_graph(
        [h.make_node("Constant", [], ["else_out"], value=constant)], "else", [],
        [h.make_tensor_value_info("else_out", T.FLOAT, [600])])
    nodes = [
        h.make_node("If", ["c"], ["y"], name="choose", then_branch=then, else_branch=other),
        h.make_node("Twice", ["x"], ["late"], domain="com.example"),
    ]
    twice = h.make_function(
        "com.example", "Twice", ["a"], ["b"],
        [h.make_node("Add", ["a", "a"], ["b"])], [h.make_opsetid("", 21)], ["alpha"])
    inputs = [
        h.make_tensor_value_info("x", T.FLOAT, [600]),
        h.make_tensor_value_info("c", T.BOOL, []),
        h.make_tensor_sequence_value_info("s", T.FLOAT, ["n"]),
        h.make_value_info("o", h.make_optional_type_proto(h.make_tensor_type_proto(T.INT64, [2]))),
    ]
    graph = h.make_graph(nodes, "control", inputs, [h.make_tensor_value_info("y", T.FLOAT, [600])])
    return model(graph, functions=[twice])


save(tensors(5), "tensors_small.onnx")
save(tensors(2049), "tensors_large.onnx")
save(attributes(), "attributes.onnx")
save(control(), "control.onnx")

#!/usr/bin/env python3
"""Writes the models and data that these tests use into Fixtures/. Equal versions of onnx and NumPy give equal bytes."""
import os
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Fixtures")


def model(name, nodes, inputs, outputs, weights=(), metadata=None, opset=17):
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(n, t, s) for n, t, s in inputs],
        [helper.make_tensor_value_info(n, t, s) for n, t, s in outputs],
        [numpy_helper.from_array(array, n) for n, array in weights],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], producer_name="make_fixtures")
    made.ir_version = 8
    if metadata:
        helper.set_model_props(made, metadata)
    onnx.save(made, os.path.join(HERE, name + ".onnx"))


def twice(name):
    """A model that lists one output two times."""
    outputs = [("y", TensorProto.FLOAT, [1])] * 2
    model(name, [helper.make_node("Abs", ["x"], ["y"], name="Abs_0")], [("x", TensorProto.FLOAT, [1])], outputs)


def picture(name, shape):
    """A model that takes a picture of this shape."""
    nodes = [helper.make_node("Relu", ["x"], ["y"], name="Relu_0")]
    model(name, nodes, [("x", TensorProto.FLOAT, shape)], [("y", TensorProto.FLOAT, shape)])


def documented(name):
    """What the documentation's commands run on: pictures of any size in, ten classes out; and a tensor for it."""
    random = np.random.default_rng(1)

    def weight(*shape):
        return (random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)

    weights = [
        ("first", weight(16, 3, 3, 3)),
        ("second", weight(32, 16, 3, 3)),
        ("classes", weight(10, 32)),
    ]
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["a"], name="Conv_0", pads=[1] * 4, strides=[2, 2]),
        helper.make_node("Relu", ["a"], ["b"], name="Relu_0"),
        helper.make_node("Conv", ["b", "second"], ["c"], name="Conv_1", pads=[1] * 4),
        helper.make_node("Relu", ["c"], ["d"], name="Relu_1"),
        helper.make_node("GlobalAveragePool", ["d"], ["e"], name="GlobalAveragePool"),
        helper.make_node("Flatten", ["e"], ["f"], name="Flatten"),
        helper.make_node("Gemm", ["f", "classes"], ["g"], name="Gemm", transB=1),
        helper.make_node("Softmax", ["g"], ["y"], name="Softmax", axis=-1),
    ]
    shape = ["batch", 3, "height", "width"]
    model(name, nodes, [("x", TensorProto.FLOAT, shape)], [("y", TensorProto.FLOAT, ["batch", 10])], weights)
    sample = random.standard_normal((1, 3, 48, 64)).astype(np.float32)
    with zipfile.ZipFile(os.path.join(HERE, name + ".npz"), "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(zipfile.ZipInfo("x.npy"), "w") as file:
            np.save(file, sample)


def doubling(name):
    """16 numbers joined with themselves 28 times, and then summed: 16 GiB if it were unfolded."""
    steps = 28
    values = ["a"] + [f"a{n}" for n in range(steps)]
    nodes = [
        helper.make_node("Concat", [values[n]] * 2, [values[n + 1]], name=f"Concat_{n}", axis=0) for n in range(steps)
    ]
    nodes.append(helper.make_node("ReduceMax", [values[-1]], ["largest"], name="ReduceMax", keepdims=0))
    nodes.append(helper.make_node("Add", ["x", "largest"], ["y"], name="Add"))
    numbers = [("a", np.arange(16, dtype=np.float32))]
    model(name, nodes, [("x", TensorProto.FLOAT, [4])], [("y", TensorProto.FLOAT, [4])], numbers)


def expanding(name):
    """A hundred numbers, each repeated to 16 MiB."""
    weights = [("shape", np.array([1 << 22], dtype=np.int64))]
    nodes = []
    for n in range(100):
        before, after = "x" if n == 0 else f"y{n - 1}", "y" if n == 99 else f"y{n}"
        weights.append((f"a{n}", np.array([n], dtype=np.float32)))
        nodes.append(helper.make_node("Expand", [f"a{n}", "shape"], [f"e{n}"], name=f"Expand_{n}"))
        nodes.append(helper.make_node("ReduceMax", [f"e{n}"], [f"m{n}"], name=f"ReduceMax_{n}", keepdims=0))
        nodes.append(helper.make_node("Add", [before, f"m{n}"], [after], name=f"Add_{n}"))
    model(name, nodes, [("x", TensorProto.FLOAT, [4])], [("y", TensorProto.FLOAT, [4])], weights)


def enormous(name):
    """A result of 32 GiB."""
    model(
        name,
        [helper.make_node("Expand", ["x", "shape"], ["y"], name="Expand_0")],
        [("x", TensorProto.FLOAT, [1])],
        [("y", TensorProto.FLOAT, [1 << 33])],
        [("shape", np.array([1 << 33], dtype=np.int64))],
    )


def constrained(name):
    """Open sizes that only some numbers satisfy: rows is a multiple of 35, columns of one input equal rows of the other."""
    nodes = [
        helper.make_node("Reshape", ["x", "split"], ["h"], name="Reshape_0"),
        helper.make_node("ReduceMean", ["h"], ["m"], name="ReduceMean_1", axes=[1, 2], keepdims=0),
        helper.make_node("MatMul", ["x", "w"], ["y"], name="MatMul_2"),
    ]
    inputs = [("x", TensorProto.FLOAT, ["rows", "inner"]), ("w", TensorProto.FLOAT, ["inner", "columns"])]
    outputs = [("m", TensorProto.FLOAT, None), ("y", TensorProto.FLOAT, None)]
    model(name, nodes, inputs, outputs, [("split", np.array([-1, 5, 7, 1], dtype=np.int64))])


def weighted(name, dims, raw_data=b"", location=None):
    """A model whose one weight has these extents and lies in the file, or where `location` says."""
    model(
        name,
        [helper.make_node("Add", ["x", "weight"], ["y"], name="Add_0")],
        [("x", TensorProto.FLOAT, [1])],
        [("y", TensorProto.FLOAT, None)],
    )
    path = os.path.join(HERE, name + ".onnx")
    made = onnx.load(path, load_external_data=False)
    weight = made.graph.initializer.add(name="weight", data_type=TensorProto.FLOAT, dims=dims, raw_data=raw_data)
    if location:
        weight.ClearField("raw_data")
        weight.data_location = TensorProto.EXTERNAL
        weight.external_data.add(key="location", value=location)
    with open(path, "wb") as file:
        file.write(made.SerializeToString())


def save_tensor(path, array, name):
    path = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(numpy_helper.from_array(array, name).SerializeToString())


def main():
    os.makedirs(HERE, exist_ok=True)
    g = np.random.default_rng(7)
    weight = g.standard_normal((3, 4), dtype=np.float32)
    bias = g.standard_normal(3, dtype=np.float32)
    # A classifier of any batch: y = relu(x · weightᵀ + bias).
    model(
        "classifier",
        [
            helper.make_node("Gemm", ["x", "weight", "bias"], ["scores"], name="Gemm_0", transB=1),
            helper.make_node("Relu", ["scores"], ["y"], name="Relu_1"),
        ],
        [("x", TensorProto.FLOAT, ["batch", 4])],
        [("y", TensorProto.FLOAT, ["batch", 3])],
        [("weight", weight), ("bias", bias)],
        {"labels": "cat\ndog\nbird"},
    )
    x = g.standard_normal((2, 4), dtype=np.float32)
    y = np.maximum(x @ weight.T + bias, 0)
    np.savez(os.path.join(HERE, "classifier.npz"), x=x)
    np.savez(os.path.join(HERE, "classifier.expected.npz"), y=y)
    np.savez(os.path.join(HERE, "classifier.wrong.npz"), y=y + 1)
    np.savez(os.path.join(HERE, "classifier.misnamed.npz"), z=x)
    np.savez(os.path.join(HERE, "classifier.misshapen.npz"), x=x[:, :3])
    save_tensor("sets/test_data_set_0/input_0.pb", x, "x")
    save_tensor("sets/test_data_set_0/output_0.pb", y, "y")
    # Two chained elementwise operations on two inputs of one open size.
    model(
        "sum",
        [
            helper.make_node("Add", ["a", "b"], ["s"], name="Add_0"),
            helper.make_node("Tanh", ["s"], ["t"], name="Tanh_1"),
        ],
        [("a", TensorProto.FLOAT, ["n"]), ("b", TensorProto.FLOAT, ["n"])],
        [("t", TensorProto.FLOAT, ["n"])],
    )
    # Three operators that no importer has.
    model(
        "unsupported",
        [
            helper.make_node("Frobnicate", ["x"], ["h"], name="F_0", domain="com.example"),
            helper.make_node("Defrobnicate", ["h"], ["k"], name="F_1", domain="com.example"),
            helper.make_node("Frobnicate", ["k"], ["y"], name="F_2", domain="com.example"),
        ],
        [("x", TensorProto.FLOAT, [2])],
        [("y", TensorProto.FLOAT, [2])],
    )
    # The position of the largest of each row: integers.
    model(
        "argmax",
        [helper.make_node("ArgMax", ["x"], ["y"], name="ArgMax_0", axis=1, keepdims=0)],
        [("x", TensorProto.FLOAT, ["batch", 4])],
        [("y", TensorProto.INT64, ["batch"])],
    )
    # A result of 2^82 elements.
    model(
        "overflowing",
        [helper.make_node("Expand", ["x", "shape"], ["y"], name="Expand_0")],
        [("x", TensorProto.FLOAT, [1])],
        [("y", TensorProto.FLOAT, None)],
        [("shape", np.array([1 << 41, 1 << 41], dtype=np.int64))],
    )
    # Two nodes that wait for each other.
    model(
        "cyclic",
        [
            helper.make_node("Add", ["x", "b"], ["a"], name="Add_0"),
            helper.make_node("Relu", ["a"], ["b"], name="Relu_1"),
        ],
        [("x", TensorProto.FLOAT, [2])],
        [("b", TensorProto.FLOAT, [2])],
    )
    twice("twice")
    picture("picture", [1, 8, 12, 3])
    picture("picture-grey", [1, 8, 12, 1])
    picture("picture-alone", [3, 8, 12])
    picture("picture-transparent", [1, 4, 8, 12])
    documented("documented")
    doubling("doubling")
    expanding("expanding")
    enormous("enormous")
    constrained("constrained")
    weighted("oversized", dims=[1 << 33, 1 << 33], raw_data=b"\0\0\0\0")
    weighted("outside", dims=[1], location="../outside.bin")
    weighted("absolute", dims=[1], location="/etc/hostname")
    with open(os.path.join(HERE, "classifier.onnx"), "rb") as file:
        whole = file.read()
    with open(os.path.join(HERE, "truncated.onnx"), "wb") as file:
        file.write(whole[: len(whole) // 2])
    with zipfile.ZipFile(os.path.join(HERE, "huge-config.keras"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("config.json"), b" " * (65 << 20), zipfile.ZIP_DEFLATED)
    with open(os.path.join(HERE, "not-a-model.txt"), "w") as file:
        file.write("neither model nor tensor\n")


if __name__ == "__main__":
    main()

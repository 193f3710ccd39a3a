"""Measures loops of 1000 short iterations beside onnxruntime, one thread: a JSON object a line. `mlc_ns` and `ort_ns` are
nanoseconds an iteration, the body's work included. Engines take turns.

usage: loops.py --mlc PATH
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import ort_turns
from onnx import TensorProto, helper, numpy_helper

ROUNDS, WIDTH = 1000, 16
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def value(name, kind=FLOAT, shape=(WIDTH,)):
    return helper.make_tensor_value_info(name, kind, shape)


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def model(nodes, *constants):
    graph = helper.make_graph(nodes, "loops", [value("x")], [value("y")], list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def loop(extra, outputs, names=("y",), goes_on="goes"):
    step = [helper.make_node("Mul", ["s", "half"], ["t"]), helper.make_node("Add", ["t", "one"], ["u"])]
    body = helper.make_graph(
        step + extra,
        "body",
        [value("i", INT64, ()), value("c", BOOL, ()), value("s")],
        [value(goes_on, BOOL, ()), value("u")] + outputs,
    )
    return helper.make_node("Loop", ["rounds", "true", "x"], list(names), body=body)


NUMBERS = [
    constant("rounds", np.int64(ROUNDS)),
    constant("true", np.bool_(True)),
    constant("half", np.float32(0.5)),
    constant("one", np.float32(1)),
    constant("limit", np.float32(1e9)),
    constant("axis", np.array([0], np.int64)),
]


def counted():
    return model([loop([helper.make_node("Identity", ["c"], ["goes"])], [])], *NUMBERS)


def ended_by_data():
    extra = [
        helper.make_node("ReduceMax", ["u"], ["most"], keepdims=0),
        helper.make_node("Less", ["most", "limit"], ["goes"]),
    ]
    return model([loop(extra, [])], *NUMBERS)


def stacked():
    """Each iteration gives a row; the last one's is the result."""
    extra = [helper.make_node("Identity", ["c"], ["goes"]), helper.make_node("Neg", ["u"], ["row"])]
    nodes = [
        loop(extra, [value("row")], ("last", "rows")),
        helper.make_node("ReduceSum", ["rows", "axis"], ["sum"], keepdims=0),
        helper.make_node("Add", ["sum", "last"], ["y"]),
    ]
    return model(nodes, *NUMBERS)


def scanned():
    body = helper.make_graph(
        [helper.make_node("Mul", ["s", "half"], ["t"]), helper.make_node("Add", ["t", "row"], ["u"])],
        "body",
        [value("s"), value("row")],
        [value("u")],
    )
    rows = np.random.RandomState(0).randn(ROUNDS, WIDTH).astype(np.float32)
    node = helper.make_node("Scan", ["x", "rows"], ["y"], body=body, num_scan_inputs=1)
    return model([node], constant("rows", rows), *NUMBERS[2:3])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", required=True)
    mlc = parser.parse_args().mlc
    x = np.random.RandomState(1).randn(WIDTH).astype(np.float32)
    for make in (counted, ended_by_data, stacked, scanned):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            data = make()
            (folder / "loop.onnx").write_bytes(data)
            package = folder / "loop.mlmodelc"
            subprocess.run([mlc, "compile", folder / "loop.onnx", "-o", package], check=True, capture_output=True)
            np.savez(folder / "x.npz", x=x)
            session = ort_turns.session(data)
            times = ort_turns.medians(mlc, package, folder / "x.npz", 500, session, [x] * 50)
            per_round = [time * 1e6 / ROUNDS for time in times]
            result = {"loop": make.__name__, "mlc_ns": round(per_round[0], 1), "ort_ns": round(per_round[1], 1)}
            result["ratio_ort"] = round(per_round[0] / per_round[1], 4)
            print(json.dumps(result), flush=True)


main()

"""Measures ensembles of 500 trees over 30 features beside onnxruntime, one thread: a JSON object a line, `ratio_ort` below 1
meaning faster than onnxruntime. Engines take turns.

usage: trees.py --mlc PATH
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import ort_turns
from onnx import TensorProto, helper

TREES, FEATURES = 500, 30


def model(depth):
    random = np.random.RandomState(depth)
    inner = 2**depth - 1
    leaves = inner + 1
    count = inner + leaves
    numbers = np.arange(inner)
    node = {
        "treeids": np.repeat(np.arange(TREES), count),
        "nodeids": np.tile(np.arange(count), TREES),
        "truenodeids": np.tile(np.r_[2 * numbers + 1, np.zeros(leaves)], TREES).astype(int),
        "falsenodeids": np.tile(np.r_[2 * numbers + 2, np.zeros(leaves)], TREES).astype(int),
    }
    node["featureids"] = random.randint(0, FEATURES, TREES * count)
    attributes = {f"nodes_{key}": value.tolist() for key, value in node.items()}
    attributes["nodes_values"] = random.randn(TREES * count).astype(np.float32).tolist()
    attributes["nodes_modes"] = (["BRANCH_LEQ"] * inner + ["LEAF"] * leaves) * TREES
    attributes["target_treeids"] = np.repeat(np.arange(TREES), leaves).tolist()
    attributes["target_nodeids"] = np.tile(np.arange(inner, count), TREES).tolist()
    attributes["target_ids"] = [0] * (TREES * leaves)
    attributes["target_weights"] = random.randn(TREES * leaves).astype(np.float32).tolist()
    made = helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1, **attributes)
    graph = helper.make_graph(
        [made],
        "trees",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", FEATURES])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", 1])],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", required=True)
    mlc = parser.parse_args().mlc
    for depth in (6, 8):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            data = model(depth)
            (folder / "trees.onnx").write_bytes(data)
            subprocess.run([mlc, "compile", folder / "trees.onnx", "-o", folder / "trees.mlmodelc"], check=True,
                           capture_output=True)
            session = ort_turns.session(data)
            for rows, repeat in ((1, 2000), (10000, 8)):
                random = np.random.RandomState(0)
                inputs = [random.randn(rows, FEATURES).astype(np.float32) for _ in range(repeat)]
                np.savez(folder / "x.npz", x=inputs[0])
                ours, theirs = ort_turns.medians(mlc, folder / "trees.mlmodelc", folder / "x.npz", repeat, session, inputs)
                result = {"depth": depth, "rows": rows, "mlc_ms": ours, "ort_ms": theirs}
                result["ratio_ort"] = round(result["mlc_ms"] / result["ort_ms"], 3)
                print(json.dumps(result), flush=True)


main()

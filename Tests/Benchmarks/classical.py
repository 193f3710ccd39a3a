"""Measures ensembles of 500 trees and support vector machines of 1,000 vectors over 30 features beside onnxruntime, one thread:
a JSON object a line, `ratio_ort` below 1 meaning faster than onnxruntime. Engines take turns.

usage: classical.py --mlc PATH [REGEX]
"""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile

import numpy as np
import ort_turns
from onnx import TensorProto, helper

TREES, VECTORS, FEATURES = 500, 1000, 30


def trees(depth):
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
    return model("TreeEnsembleRegressor", "y", n_targets=1, **attributes)


def regression(kernel):
    random = np.random.RandomState(1)
    return model(
        "SVMRegressor",
        "y",
        n_supports=VECTORS,
        support_vectors=random.randn(VECTORS * FEATURES).astype(np.float32).tolist(),
        coefficients=random.randn(VECTORS).astype(np.float32).tolist(),
        rho=[0.5],
        kernel_type=kernel,
        kernel_params=[1 / FEATURES, 0.5, 3.0],
    )


def classification(kernel, classes, **attributes):
    random = np.random.RandomState(2)
    pairs = classes * (classes - 1) // 2
    return model(
        "SVMClassifier",
        "label",
        "scores",
        classlabels_ints=list(range(classes)),
        vectors_per_class=[VECTORS // classes] * classes,
        support_vectors=random.randn(VECTORS // classes * classes * FEATURES).astype(np.float32).tolist(),
        coefficients=random.randn(VECTORS // classes * classes * (classes - 1)).astype(np.float32).tolist(),
        rho=random.randn(pairs).astype(np.float32).tolist(),
        kernel_type=kernel,
        kernel_params=[1 / FEATURES, 0.5, 3.0],
        **{key: [value] * pairs for key, value in attributes.items()},
    )


def model(operator, *outputs, **attributes):
    made = helper.make_node(operator, ["x"], outputs, domain="ai.onnx.ml", **attributes)
    graph = helper.make_graph(
        [made],
        "classical",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", FEATURES])],
        [
            helper.make_tensor_value_info(name, TensorProto.INT64 if name == "label" else TensorProto.FLOAT, None)
            for name in outputs
        ],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


CASES = {
    "trees-6": lambda: trees(6),
    "trees-8": lambda: trees(8),
    "svr-rbf": lambda: regression("RBF"),
    "svr-poly": lambda: regression("POLY"),
    "svr-sigmoid": lambda: regression("SIGMOID"),
    "svr-linear": lambda: regression("LINEAR"),
    "svc-rbf-2": lambda: classification("RBF", 2),
    "svc-rbf-10": lambda: classification("RBF", 10),
    "svc-rbf-4-probability": lambda: classification("RBF", 4, prob_a=-1.5, prob_b=0.25),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", required=True)
    parser.add_argument("regex", nargs="?", default="")
    options = parser.parse_args()
    mlc = options.mlc
    for case in CASES:
        if not re.search(options.regex, case):
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            data = CASES[case]()
            (folder / "m.onnx").write_bytes(data)
            subprocess.run([mlc, "compile", folder / "m.onnx", "-o", folder / "m.mlmodelc"], check=True,
                           capture_output=True)
            session = ort_turns.session(data)
            for rows, repeat in ((1, 2000), (10000, 4)):
                random = np.random.RandomState(0)
                inputs = [random.randn(rows, FEATURES).astype(np.float32) for _ in range(repeat)]
                np.savez(folder / "x.npz", x=inputs[0])
                ours, theirs = ort_turns.medians(mlc, folder / "m.mlmodelc", folder / "x.npz", repeat, session, inputs)
                result = {"case": case, "rows": rows, "mlc_ms": ours, "ort_ms": theirs}
                result["ratio_ort"] = round(result["mlc_ms"] / result["ort_ms"], 3)
                print(json.dumps(result), flush=True)


main()

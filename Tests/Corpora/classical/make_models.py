"""Writes classical.zip: models of ONNX' domain of classical models, NAME.onnx, each with NAME.npz: in_0 … and out_0 …, what
onnxruntime answers, in the model's order.

usage: make_models.py
"""

import io
import pathlib
import zipfile

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

DOMAIN = "ai.onnx.ml"
random = np.random.RandomState(3)
archive = {}


def plain(array):
    """Texts as an array of kind U."""
    return array.astype(str) if array.dtype == object else array


def save(name, op, inputs, outputs, opset=3, has_texts=False, constants=(), **attributes):
    """A model of one node, whose labels are texts or not."""
    names = [f"x{index}" for index in range(len(inputs))]
    node = helper.make_node(op, names + [tensor.name for tensor in constants], [f"y{i}" for i in range(outputs)],
                            name=name, domain=DOMAIN, **attributes)
    infos = [
        helper.make_tensor_value_info(key, helper.np_dtype_to_tensor_dtype(value.dtype), ["N", *value.shape[1:]])
        for key, value in zip(names, inputs)
    ]
    types = [TensorProto.FLOAT] * outputs
    if outputs == 2:
        types[0] = TensorProto.STRING if has_texts else TensorProto.INT64
    results = [helper.make_tensor_value_info(f"y{i}", t, None) for i, t in enumerate(types)]
    if op in ("TreeEnsemble", "Imputer", "LabelEncoder", "ArrayFeatureExtractor", "CategoryMapper"):
        results = [helper.make_empty_tensor_value_info("y0")]
    graph = helper.make_graph([node], "g", infos, results, list(constants))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, opset)]
    data = helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    answers = session.run(None, dict(zip(names, inputs)))
    record = {f"in_{index}": plain(value) for index, value in enumerate(inputs)}
    record.update({f"out_{index}": plain(value) for index, value in enumerate(answers)})
    stream = io.BytesIO()
    np.savez_compressed(stream, **record)
    archive[f"{name}.onnx"], archive[f"{name}.npz"] = data, stream.getvalue()


# Trees.


def ensemble(trees, depth, features, targets, modes=("BRANCH_LEQ",), chance=0.85, missing=False, positive=False, each=None):
    """Attributes of random trees; `each` weights a leaf, else one tree serves one target."""
    node = {key: [] for key in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids")}
    node["missing_value_tracks_true"] = []
    leaf = {key: [] for key in ("treeids", "nodeids", "ids", "weights")}
    for tree in range(trees):
        count = 1
        queue = [(0, 0)]
        while queue:
            number, level = queue.pop(0)
            inner = level < depth and (level == 0 or random.rand() < chance)
            node["treeids"].append(tree)
            node["nodeids"].append(number)
            node["modes"].append(str(random.choice(modes)) if inner else "LEAF")
            node["featureids"].append(int(random.randint(features)) if inner else 0)
            # Some features are whole numbers, so that = and ≠ are decided both ways.
            node["values"].append(float(random.randint(-2, 3)) if inner and random.rand() < 0.5 else
                                  float(np.float32(random.randn())) if inner else 0.0)
            node["missing_value_tracks_true"].append(int(inner and missing and random.rand() < 0.5))
            node["truenodeids"].append(count if inner else 0)
            node["falsenodeids"].append(count + 1 if inner else 0)
            if inner:
                queue += [(count, level + 1), (count + 1, level + 1)]
                count += 2
                continue
            for target in range(targets) if each else [tree % targets]:
                leaf["treeids"].append(tree)
                leaf["nodeids"].append(number)
                leaf["ids"].append(target)
                weight = float(np.float32(random.rand() if positive else random.randn()))
                leaf["weights"].append(weight / trees if positive else weight)
    nodes = {f"nodes_{key}": value for key, value in node.items()}
    return nodes, leaf


def rows(count, features, dtype=np.float32, gaps=False):
    x = random.randn(count, features)
    x[:, ::2] = random.randint(-2, 3, x[:, ::2].shape)
    x = x.astype(dtype)
    if gaps:
        x[random.rand(*x.shape) < 0.2] = np.nan
    return x


ORDER = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT")
ALL = (*ORDER, "BRANCH_EQ", "BRANCH_NEQ")


def trees():
    for name, modes in [("leq", ("BRANCH_LEQ",)), ("lt", ("BRANCH_LT",)), ("order", ORDER), ("all", ALL)]:
        for gaps in (False, True):
            nodes, leaf = ensemble(21, 5, 7, 1, modes, missing=gaps)
            save(f"regressor_{name}{'_gaps' if gaps else ''}", "TreeEnsembleRegressor", [rows(75, 7, gaps=gaps)], 1,
                 **nodes, **target(leaf), n_targets=1, base_values=[0.25])
    nodes, leaf = ensemble(9, 4, 5, 3, ORDER, each=True)
    for aggregate in ("SUM", "AVERAGE", "MIN", "MAX"):
        for post in ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"):
            save(f"regressor_{aggregate}_{post}".lower(), "TreeEnsembleRegressor", [rows(11, 5)], 1, **nodes,
                 **target(leaf), n_targets=3, aggregate_function=aggregate, post_transform=post, base_values=[0.5, -0.5, 0.0])
        one, weights = ensemble(9, 4, 5, 1)
        save(f"regressor_one_{aggregate}".lower(), "TreeEnsembleRegressor", [rows(11, 5)], 1, **one, **target(weights),
             n_targets=1, aggregate_function=aggregate, post_transform="LOGISTIC")
    one, weights = ensemble(9, 3, 5, 1, positive=True)
    save("regressor_probit", "TreeEnsembleRegressor", [rows(11, 5)], 1, **one, **target(weights), n_targets=1,
         base_values=[0.25], post_transform="PROBIT")
    nodes, leaf = ensemble(9, 26, 6, 1, chance=0.62)
    save("regressor_deep", "TreeEnsembleRegressor", [rows(40, 6)], 1, **nodes, **target(leaf), n_targets=1)
    for dtype in (np.float64, np.int64, np.int32):
        if dtype is np.float64:
            save("regressor_double", "TreeEnsembleRegressor", [rows(9, 6, dtype)], 1, **doubles(nodes, target(leaf)), n_targets=1)
        classes, weights = ensemble(12, 4, 6, 3, ORDER)
        if dtype is not np.float64:
            save(f"classifier_{np.dtype(dtype).name}", "TreeEnsembleClassifier", [rows(9, 6, dtype)], 2, **classes,
                 **target(weights, "class"), classlabels_int64s=[4, 5, 6])
    for post in ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"):
        for positive in (False, True):
            nodes, leaf = ensemble(10, 4, 6, 1, positive=positive)
            save(f"classifier_two_{post}_{positive}".lower(), "TreeEnsembleClassifier", [rows(13, 6)], 2, **nodes,
                 **target(leaf, "class"), post_transform=post, classlabels_int64s=[0, 1], base_values=[0.125])
        nodes, leaf = ensemble(12, 4, 6, 4, ORDER, missing=True)
        save(f"classifier_many_{post}".lower(), "TreeEnsembleClassifier", [rows(13, 6, gaps=True)], 2, **nodes,
             **target(leaf, "class"), post_transform=post, classlabels_int64s=[7, 3, 9, -1])
    nodes, leaf = ensemble(6, 4, 6, 3, positive=True, each=True)
    save("classifier_strings", "TreeEnsembleClassifier", [rows(70, 6)], 2, has_texts=True, **nodes,
         **target(leaf, "class"), classlabels_strings=["no", "maybe", "yes"], base_values=[0.0, 0.1, 0.2])


def target(leaf, role="target"):
    return {f"{role}_{key}": value for key, value in leaf.items()}


def doubles(*parts):
    attributes = {key: value for part in parts for key, value in part.items()}
    for key in ("nodes_values", "target_weights"):
        values = attributes.pop(key)
        attributes[f"{key}_as_tensor"] = helper.make_tensor(key, TensorProto.DOUBLE, [len(values)], values)
    return attributes


def linear():
    for post in ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"):
        for targets in (1, 3):
            save(f"linear_regressor_{targets}_{post}".lower(), "LinearRegressor", [rows(9, 5)], 1, targets=targets,
                 coefficients=floats(5 * targets), intercepts=floats(targets), post_transform=post)
        for scores, classes in ((1, 2), (2, 2), (4, 4)):
            save(f"linear_classifier_{scores}_{classes}_{post}".lower(), "LinearClassifier", [rows(9, 5)], 2,
                 coefficients=floats(5 * scores), intercepts=floats(scores), post_transform=post,
                 classlabels_ints=[3, 1, 2, 9][:classes])
    save("linear_classifier_strings", "LinearClassifier", [rows(9, 5)], 2, has_texts=True, coefficients=floats(5),
         intercepts=floats(1), post_transform="LOGISTIC", classlabels_strings=["b", "a"])


def features():
    x = rows(9, 5)
    x[4] = 0
    for norm in ("L1", "L2", "MAX"):
        save(f"normalizer_{norm}".lower(), "Normalizer", [x], 1, norm=norm)
    save("scaler", "Scaler", [x], 1, offset=floats(5), scale=floats(5))
    save("scaler_one_int64", "Scaler", [rows(9, 5, np.int64)], 1, offset=floats(1), scale=floats(1))
    save("binarizer", "Binarizer", [x], 1, threshold=0.5)
    save("imputer_nan", "Imputer", [rows(9, 5, gaps=True)], 1, imputed_value_floats=floats(5), replaced_value_float=np.nan)
    save("imputer_one", "Imputer", [x], 1, imputed_value_floats=[7.0], replaced_value_float=1.0)
    save("imputer_int64", "Imputer", [rows(9, 5, np.int64)], 1, imputed_value_int64s=[5, 6, 7, 8, 9], replaced_value_int64=1)
    for name, places in (("list", [3, 0]), ("matrix", [[1, 1, 4]])):
        places = np.array(places, np.int64)
        constant = helper.make_tensor("places", TensorProto.INT64, places.shape, places.ravel())
        save(f"array_feature_extractor_{name}", "ArrayFeatureExtractor", [x], 1, constants=[constant])
    save("feature_vectorizer", "FeatureVectorizer", [x, rows(9, 2)], 1, inputdimensions=[5, 2])


def save_map(name, op, content, result, answer=None, **attributes):
    """A model of one node on a map, which is in_0, its keys, and in_1, its values; `answer` where onnxruntime's Python
    cannot hand the map over."""
    keys, values = np.array(list(content)), np.array(list(content.values()))
    element = {"U": TensorProto.STRING, "f": TensorProto.FLOAT, "i": TensorProto.INT64}
    kind = helper.make_map_type_proto(element[keys.dtype.kind], helper.make_tensor_type_proto(element[values.dtype.kind], []))
    node = helper.make_node(op, ["x"], ["y"], name=name, domain=DOMAIN, **attributes)
    graph = helper.make_graph([node], "g", [helper.make_value_info("x", kind)], [helper.make_tensor_value_info("y", result, None)])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 3)]
    data = helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    answer = session.run(None, {"x": content})[0] if answer is None else np.array(answer)
    record = {"in_0": keys, "in_1": values.astype(np.float32) if values.dtype.kind == "f" else values}
    record["out_0"] = plain(answer)
    stream = io.BytesIO()
    np.savez_compressed(stream, **record)
    archive[f"{name}.onnx"], archive[f"{name}.npz"] = data, stream.getvalue()


def maps():
    words = ["b", "", "é", "e\u0301", "a"]
    numbers = [5, -1, 7, 0, 1 << 40]
    few = {"é": 2.5, "a": -1.0, "zzz": 4.0}
    save_map("dict_texts_floats", "DictVectorizer", few, TensorProto.FLOAT, string_vocabulary=words)
    save_map("dict_int64_floats", "DictVectorizer", {7: 0.5, 1 << 40: 2.0, 3: 9.0}, TensorProto.FLOAT, int64_vocabulary=numbers)
    save_map("dict_int64_texts", "DictVectorizer", {7: "x", -1: "ü"}, TensorProto.STRING, [["", "ü", "x", "", ""]],
             int64_vocabulary=numbers)
    save_map("map_dense", "CastMap", {9: 0.5, -3: 2.0, 4: -1.0}, TensorProto.FLOAT)
    save_map("map_dense_int64", "CastMap", {9: 0.5, -3: 2.75, 4: -1.5}, TensorProto.INT64, cast_to="TO_INT64")
    save_map("map_sparse", "CastMap", {3: 0.5, 0: 2.0}, TensorProto.FLOAT, map_form="SPARSE", max_map=5)
    save_map("map_parsed", "CastMap", {2: "1.5", 1: "-7"}, TensorProto.FLOAT, np.float32([[-7, 1.5]]))


POSTS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO")


def pairs_machine(counts, kernel, probabilities, post):
    """Attributes of a machine for each pair of classes, which have so many support vectors."""
    vectors, classes = sum(counts), len(counts)
    pairs = classes * (classes - 1) // 2
    return {
        "kernel_type": kernel, "kernel_params": [0.25, 0.5, 3.0], "post_transform": post, "vectors_per_class": counts,
        "support_vectors": floats(4 * vectors), "coefficients": floats((classes - 1) * vectors), "rho": floats(pairs),
        **({"prob_a": floats(pairs), "prob_b": floats(pairs)} if probabilities else {}),
    }


def machines():
    for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID"):
        for classes in (2, 3, 5):
            for probabilities in (False, True):
                counts = [int(count) for count in random.randint(1, 6, classes)]
                kind = "probabilities" if probabilities else "scores"
                save(f"svm_classifier_{kernel}_{classes}_{kind}".lower(), "SVMClassifier", [rows(9, 4)], 2,
                     **pairs_machine(counts, kernel, probabilities, "NONE"), classlabels_ints=[7, 3, 9, -1, 5][:classes])
        regressor = {"kernel_type": kernel, "kernel_params": [0.25, 0.5, 2.0], "n_supports": 6, "rho": floats(1),
                     "support_vectors": floats(24), "coefficients": floats(6)}
        for one_class in (0, 1):
            save(f"svm_regressor_{kernel}_{one_class}".lower(), "SVMRegressor", [rows(9, 4)], 1, one_class=one_class, **regressor)
    for post in POSTS:
        for classes in (2, 4):
            for probabilities in (False, True):
                kind = "probabilities" if probabilities else "scores"
                save(f"svm_classifier_{post}_{classes}_{kind}".lower(), "SVMClassifier", [rows(9, 4)], 2,
                     **pairs_machine([2, 3, 1, 4][:classes], "RBF", probabilities, post), classlabels_ints=[0, 1, 2, 3][:classes])
            for positive in (False, True):
                coefficients = [abs(value) if positive else value for value in floats(4 * classes)]
                save(f"svm_classifier_linear_{post}_{classes}_{positive}".lower(), "SVMClassifier", [rows(9, 4)], 2,
                     kernel_params=[0.0, 0.0, 0.0], coefficients=coefficients, rho=floats(1), post_transform=post,
                     classlabels_ints=[4, 2, 8, 6][:classes])
    save("svm_classifier_strings", "SVMClassifier", [rows(9, 4)], 2, has_texts=True,
         **pairs_machine([2, 0, 3], "RBF", True, "NONE"), classlabels_strings=["b", "a", "c"])
    save("svm_classifier_int64", "SVMClassifier", [rows(9, 4, np.int64)], 2, **pairs_machine([1, 2], "POLY", False, "NONE"),
         classlabels_ints=[0, 1])
    save("svm_regressor_features", "SVMRegressor", [rows(9, 4)], 1, kernel_params=[0.0, 0.0, 0.0], coefficients=floats(4),
         rho=floats(1))


def categories():
    numbers = np.array([[3, -1, 5], [7, 3, 3]])
    for dtype in (np.float32, np.float64, np.int64):
        save(f"one_hot_encoder_{np.dtype(dtype).name}", "OneHotEncoder", [numbers.astype(dtype)], 1, cats_int64s=[5, 3, -1])
    save("one_hot_encoder_rounded", "OneHotEncoder", [np.array([3.75, -0.5, 5.25, -1.5], np.float32)], 1, cats_int64s=[0, 3, -1])
    texts = np.array([["a", "é"], ["e\u0301", ""]], object)
    save("one_hot_encoder_strings", "OneHotEncoder", [texts], 1, cats_strings=["", "é", "b", "a"])
    save("label_encoder_strings", "LabelEncoder", [texts], 1, keys_strings=["é", "a", "c"], values_int64s=[5, 1 << 40, 7], default_int64=-3)
    save("label_encoder_texts", "LabelEncoder", [np.array([3, 9, -1], np.int64)], 1, keys_int64s=[9, 3], values_strings=["é", "x"],
         default_string="none")
    save("category_mapper", "CategoryMapper", [texts], 1, opset=1, cats_strings=["a", "é"], cats_int64s=[7, 8], default_int64=-1)
    save("one_hot_encoder_all", "OneHotEncoder", [numbers.astype(np.int64)], 1, cats_int64s=[5, 3, -1, 7], zeros=0)


def floats(count):
    return [float(value) for value in random.randn(count).astype(np.float32)]


trees()
linear()
features()
maps()
machines()
categories()
folder = pathlib.Path(__file__).parent
with zipfile.ZipFile(folder / "classical.zip", "w", zipfile.ZIP_DEFLATED) as file:
    for name in sorted(archive):
        file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), archive[name], zipfile.ZIP_DEFLATED)
print(len(archive) // 2, "models")

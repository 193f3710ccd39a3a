"""Models by hand, of forms that no converter of coremltools writes, with numpy's answers from the documented formulas."""

import math

import numpy as np
from coremltools.proto import FeatureTypes_pb2, Model_pb2
from coremltools.models import datatypes
from coremltools.models.tree_ensemble import TreeEnsembleClassifier, TreeEnsembleRegressor

DOUBLE = FeatureTypes_pb2.ArrayFeatureType.DOUBLE


def spec(inputs, outputs, label="", scores=""):
    model = Model_pb2.Model(specificationVersion=5)
    for features, target in ((inputs, model.description.input), (outputs, model.description.output)):
        for name, kind in features.items():
            feature = target.add(name=name)
            if isinstance(kind, str):
                kind = {"int": datatypes.Int64(), "double": datatypes.Double(), "text": datatypes.String()}.get(kind, kind)
            if kind == "list":
                feature.type.sequenceType.int64Type.SetInParent()
            elif kind == "int dictionary":
                feature.type.dictionaryType.int64KeyType.SetInParent()
            elif kind == "text dictionary":
                feature.type.dictionaryType.stringKeyType.SetInParent()
            elif isinstance(kind, tuple):
                feature.type.multiArrayType.shape.extend(kind)
                feature.type.multiArrayType.dataType = DOUBLE
            else:
                datatypes._set_datatype(feature.type, kind)
    model.description.predictedFeatureName = label
    model.description.predictedProbabilitiesName = scores
    return model


def normal(x):
    return 0.5 * (1 + np.array([math.erf(v / math.sqrt(2)) for v in np.ravel(x)]))


def logistic(x):
    return 1 / (1 + np.exp(-np.asarray(x, float)))


def softmax(x):
    power = np.exp(x - np.max(x))
    return power / power.sum()


def classes(inputs, texts=True):
    kind = "text" if texts else "int"
    return spec(inputs, {"label": kind, "p": f"{kind} dictionary"}, "label", "p")


def linear(save, random):
    weights, offset = random.normal(0, 1, (2, 3)), random.normal(0, 1, 2)
    rows = random.normal(0, 1, (4, 3))
    names = ["none", "one", "two"]
    model = classes({"x": (3,)})
    for w, b in zip(weights, offset):
        model.glmClassifier.weights.add(value=w)
        model.glmClassifier.offset.append(b)
    model.glmClassifier.stringClassLabels.vector.extend(names)
    answers = [softmax(np.concatenate([[0], weights @ x + offset])) for x in rows]
    save("linear_reference", model, [({"x": x}, {"label": names[p.argmax()], "p": p}) for x, p in zip(rows, answers)])
    model = classes({"a": "double", "b": "int", "c": "double"}, texts=False)
    model.glmClassifier.weights.add(value=weights[0])
    model.glmClassifier.offset.append(0)
    model.glmClassifier.int64ClassLabels.vector.extend([-4, 11])
    model.glmClassifier.postEvaluationTransform = 1
    rows = [[0.5, 2, -1.0], [-0.5, -3, 0.25], [0, 0, 0]]
    cases = []
    for row in rows:
        p = normal([weights[0] @ row])[0]
        cases.append((dict(zip("abc", row)), {"label": 11 if p > 0.5 else -4, "p": [1 - p, p]}))
    save("linear_probit", model, cases)
    for code, name, link in ((1, "logit", logistic), (2, "probit", normal)):
        model = spec({"x": (3,)}, {"y": (2,)}, "y")
        for w, b in zip(weights, offset):
            model.glmRegressor.weights.add(value=w)
            model.glmRegressor.offset.append(b)
        model.glmRegressor.postEvaluationTransform = code
        save(f"linear_{name}_targets", model, [({"x": x}, {"y": link(weights @ x + offset)}) for x in random.normal(0, 1, (3, 3))])


def machine(save, random):
    model = classes({"x": (4,)})
    vectors = np.where(random.uniform(0, 1, (6, 4)) < 0.5, 0, random.normal(0, 1, (6, 4)))
    alpha = random.normal(0, 1, 6)
    part = model.supportVectorClassifier
    part.kernel.rbfKernel.gamma = 0.3
    part.numberOfSupportVectorsPerClass.extend([2, 4])
    for vector in vectors:
        nodes = part.sparseSupportVectors.vectors.add().nodes
        for place in np.flatnonzero(vector):
            nodes.add(index=int(place) + 1, value=vector[place])
    part.coefficients.add(alpha=alpha)
    part.rho.append(0.125)
    part.stringClassLabels.vector.extend(["first", "second"])
    cases = []
    for x in random.normal(0, 1, (5, 4)):
        score = alpha @ np.exp(-0.3 * ((x - vectors) ** 2).sum(1)) - 0.125
        cases.append(({"x": x}, {"label": "first" if score > 0 else "second", "p": [float(score > 0), float(score <= 0)]}))
    save("svc_sparse", model, cases)


MODES = {
    "BranchOnValueLessThanEqual": lambda x, s: x <= s,
    "BranchOnValueLessThan": lambda x, s: x < s,
    "BranchOnValueGreaterThanEqual": lambda x, s: x >= s,
    "BranchOnValueGreaterThan": lambda x, s: x > s,
    "BranchOnValueEqual": lambda x, s: x == s,
    "BranchOnValueNotEqual": lambda x, s: x != s,
}


def grow(model, random, outputs):
    """A tree for each mode and way of missing values: what a row gets of each target."""
    rules = []
    for tree, (mode, missing) in enumerate((mode, missing) for mode in MODES for missing in (False, True)):
        feature, split = int(random.randint(3)), float(random.randint(-1, 2))
        leaves = random.normal(0, 1, (2, outputs))
        # The root is not the first node of its tree, nor numbered 0.
        model.add_leaf_node(tree, 4, leaves[0].tolist())
        model.add_branch_node(tree, 9, feature, split, mode, 4, 2, missing_value_tracks_true_child=missing)
        model.add_leaf_node(tree, 2, leaves[1].tolist())
        rules.append((mode, missing, feature, split, leaves))

    def answer(x):
        total = np.zeros(outputs)
        for mode, missing, feature, split, leaves in rules:
            value = x[feature]
            holds = missing if np.isnan(value) else MODES[mode](value, split)
            if np.isnan(value) and mode == "BranchOnValueNotEqual":
                holds = True
            total += leaves[0 if holds else 1]
        return total

    return answer


ROWS = [[a, b, c] for a in (-1.0, 0.0, math.nan) for b in (0.0, 2.0) for c in (1.0, math.nan)]


def trees(save, random):
    array = [("x", datatypes.Array(3))]
    for transform, change in (("NoTransform", np.asarray), ("Regression_Logistic", logistic)):
        model = TreeEnsembleRegressor(array, "y")
        answer = grow(model, random, 2)
        model.set_default_prediction_value([0.5, -0.25])
        model.set_post_evaluation_transform(transform)
        model.spec.description.output[0].type.multiArrayType.shape.append(2)
        model.spec.description.output[0].type.multiArrayType.dataType = DOUBLE
        cases = [({"x": x}, {"y": change(answer(x) + [0.5, -0.25])}) for x in ROWS]
        save(f"trees_{transform.lower()}", model.spec, cases)
    for transform, outputs in (("Classification_SoftMax", 3), ("Classification_SoftMaxWithZeroClassReference", 2)):
        model = TreeEnsembleClassifier(array, ["a", "b", "c"], "label")
        answer = grow(model, random, outputs)
        model.set_default_prediction_value([0.0] * outputs)
        model.set_post_evaluation_transform(transform)
        cases = []
        for x in ROWS:
            p = softmax(np.concatenate([[0.0] * (3 - outputs), answer(x)]))
            cases.append(({"x": x}, {"label": "abc"[p.argmax()], "classProbability": p}))
        save(f"trees_{transform.lower()}", model.spec, cases)


def nearest(save, random):
    samples = random.randint(-2, 3, (20, 2)).astype(np.float32)
    names = [["b", "a", "c"][i] for i in random.randint(0, 3, 20)]
    for weighted in (False, True):
        model = classes({"x": (2,)})
        part = model.kNearestNeighborsClassifier
        part.numberOfNeighbors.defaultValue = 5
        part.nearestNeighborsIndex.numberOfDimensions = 2
        for sample in samples:
            part.nearestNeighborsIndex.floatSamples.add(vector=sample)
        part.nearestNeighborsIndex.singleKdTreeIndex.leafSize = 3
        part.nearestNeighborsIndex.squaredEuclideanDistance.SetInParent()
        part.stringClassLabels.vector.extend(names)
        (part.inverseDistanceWeighting if weighted else part.uniformWeighting).SetInParent()
        cases = []
        for x in np.concatenate([samples[:3].astype(float), random.randint(-4, 5, (6, 2)) / 2]):
            distance = ((samples - x) ** 2).sum(1)
            order = np.argsort(distance, kind="stable")[:5]
            weight = np.ones(5)
            if weighted:
                near = distance[order]
                weight = (near == 0).astype(float) if (near == 0).any() else 1 / near
            votes = np.array([sum(w for w, o in zip(weight, order) if names[o] == kind) for kind in "abc"])
            cases.append(({"x": x}, {"label": "abc"[votes.argmax()], "p": votes / votes.sum()}))
        save(f"nearest_{'weighted' if weighted else 'uniform'}", model, cases)
    model = spec({"x": (2,)}, {"label": "int"}, "label")
    model.kNearestNeighborsClassifier.numberOfNeighbors.defaultValue = 3
    model.kNearestNeighborsClassifier.int64ClassLabels.SetInParent()
    model.kNearestNeighborsClassifier.defaultInt64Label = 42
    save("nearest_empty", model, [({"x": [1.0, 2.0]}, {"label": 42})])


def categories(save, random):
    model = spec({"x": "text"}, {"y": (3,)})
    model.oneHotEncoder.stringCategories.vector.extend(["a", "b", "ä"])
    model.oneHotEncoder.handleUnknown = 1
    rows = [("b", [0, 1, 0]), ("ä", [0, 0, 1]), ("?", [0, 0, 0])]
    save("one_hot_texts", model, [({"x": x}, {"y": np.array(y, float)}) for x, y in rows])
    model = spec({"x": "int"}, {"y": "int dictionary"})
    model.oneHotEncoder.int64Categories.vector.extend([7, -7])
    model.oneHotEncoder.outputSparse = True
    save("one_hot_sparse", model, [({"x": 7}, {"y": [1.0, 0.0]}), ({"x": -7}, {"y": [0.0, 1.0]})])
    model = spec({"x": "text"}, {"y": "int"})
    for place, name in enumerate(["one", "two", "three"]):
        model.categoricalMapping.stringToInt64Map.map[name] = place + 1
    model.categoricalMapping.int64Value = -1
    save("mapping_to_numbers", model, [({"x": x}, {"y": y}) for x, y in (("two", 2), ("one", 1), ("four", -1))])
    model = spec({"x": "int"}, {"y": "text"})
    model.categoricalMapping.int64ToStringMap.map[3] = "three"
    model.categoricalMapping.int64ToStringMap.map[-3] = "less"
    model.categoricalMapping.strValue = "none"
    save("mapping_to_texts", model, [({"x": x}, {"y": y}) for x, y in ((3, "three"), (-3, "less"), (0, "none"))])


def arrays(save, random):
    model = spec({"a": "double", "b": (2, 2), "c": "int", "d": "int dictionary"}, {"y": (9,)})
    for name, count in (("c", 1), ("a", 1), ("b", 4), ("d", 3)):
        model.featureVectorizer.inputList.add(inputColumn=name, inputDimensions=count)
    b = random.normal(0, 1, (2, 2))
    given = {"a": 0.5, "b": b, "c": 3, "d.keys": np.array([2, 0, 9]), "d.values": [1.5, -2.5, 7.0]}
    save("feature_vectorizer", model, [(given, {"y": np.concatenate([[3, 0.5], b.ravel(), [-2.5, 0, 1.5]])})])
    model = spec({"x": (2, 3)}, {"y": (4,)})
    model.arrayFeatureExtractor.extractIndex.extend([5, 0, 0, 2])
    x = random.normal(0, 1, (2, 3))
    save("extractor", model, [({"x": x}, {"y": x.ravel()[[5, 0, 0, 2]]})])
    model = spec({"x": (3,)}, {"y": (3,)})
    model.scaler.shiftValue.append(-1)
    model.scaler.scaleValue.extend([1, 2, 4])
    save("scaler", model, [({"x": [1.0, 2.0, 3.5]}, {"y": np.array([0, 2, 10.0])})])
    model = spec({"x": "text dictionary"}, {"y": "text dictionary"})
    model.imputer.imputedStringDictionary.map.update({"a": 0.5, "b": -1})
    model.imputer.replaceDoubleValue = math.nan
    keys = np.array(["b", "c", "a"])
    values, wanted = np.array([math.nan, math.nan, 2]), np.array([-1, math.nan, 2])
    save("imputer_dictionary", model, [({"x.keys": keys, "x.values": values}, {"y.keys": keys, "y.values": wanted})])
    model = spec({"x": "int"}, {"y": "int"})
    model.imputer.imputedInt64Value, model.imputer.replaceInt64Value = 12, -1
    save("imputer_number", model, [({"x": -1}, {"y": 12}), ({"x": 5}, {"y": 5})])
    model = spec({"x": "text"}, {"y": "text"})
    model.imputer.imputedStringValue, model.imputer.replaceStringValue = "nothing", ""
    save("imputer_text", model, [({"x": ""}, {"y": "nothing"}), ({"x": "a"}, {"y": "a"})])


def suppressed(confidence, boxes, overlap, least, per_class):
    best, own = confidence.max(1), confidence.argmax(1)
    kept = []
    for box in np.argsort(-best, kind="stable"):
        if best[box] < least:
            continue
        lows, highs = boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2
        shares = []
        for other in kept:
            if per_class and own[other] != own[box]:
                continue
            inner = np.maximum(np.minimum(highs[box], highs[other]) - np.maximum(lows[box], lows[other]), 0).prod()
            shares.append(inner / (boxes[box, 2:].prod() + boxes[other, 2:].prod() - inner))
        if not any(share > overlap for share in shares):
            kept.append(box)
    return kept


def suppression(save, random):
    for name, per_class, rows in (("all", False, None), ("classes", True, None), ("fixed", True, 6), ("short", False, 2)):
        confidence = random.randint(1, 99, (12, 3)) / 100
        boxes = np.round(np.concatenate([random.uniform(0, 2, (12, 2)), random.uniform(0.6, 1.5, (12, 2))], 1), 2)
        model = spec(
            {"c": (12, 3), "b": (12, 4), "iou": "double", "least": "double"},
            {"kept": (rows, 3) if rows else (), "boxes": (rows, 4) if rows else ()},
        )
        part = model.nonMaximumSuppression
        part.pickTop.perClass = per_class
        part.iouThreshold, part.confidenceThreshold = 0.3, 0.5
        part.confidenceInputFeatureName, part.coordinatesInputFeatureName = "c", "b"
        part.iouThresholdInputFeatureName, part.confidenceThresholdInputFeatureName = "iou", "least"
        part.confidenceOutputFeatureName, part.coordinatesOutputFeatureName = "kept", "boxes"
        cases = []
        for overlap, least in ((0.3, 0.5), (1.0, 0.0), (0.0, 0.7)):
            kept = suppressed(confidence, boxes, overlap, least, per_class)[:rows]
            answers = [confidence[kept], boxes[kept]]
            if rows:
                answers = [np.concatenate([a, np.zeros((rows - len(a), a.shape[1]))]) for a in answers]
            given = {"c": confidence, "b": boxes, "iou": overlap, "least": least}
            cases.append((given, {"kept": answers[0], "boxes": answers[1]}))
        save(f"suppression_{name}", model, cases)


def others(save, random):
    model = spec({"x": (3,), "optimism": "double"}, {"p": "double", "mean": "double", "var": "double", "low": "double"}, "p")
    part = model.bayesianProbitRegressor
    part.numberOfFeatures = 3
    part.bias.mean, part.bias.precision = 0.25, 2
    table = {}
    for feature in range(3):
        weights = part.features.add(featureId=feature)
        for value in (1, 2, 5):
            mean, precision = random.normal(), random.uniform(0.5, 3)
            weights.weights.add(featureValue=value).featureWeight.MergeFrom(type(part.bias)(mean=mean, precision=precision))
            table[feature, value] = (mean, 1 / precision)
    part.regressionInputFeatureName, part.optimismInputFeatureName = "x", "optimism"
    part.meanOutputFeatureName, part.varianceOutputFeatureName = "mean", "var"
    part.pessimisticProbabilityOutputFeatureName = "low"
    cases = []
    for x, optimism in (([1, 2, 5], 0.0), ([2, 9, 1], -0.5)):
        found = [table[pair] for pair in enumerate(x) if pair in table]
        mean, var = 0.25 + sum(m for m, _ in found), 0.5 + sum(v for _, v in found)
        width = math.sqrt(1 + var)
        low = normal([(mean + optimism * math.sqrt(var)) / width])[0]
        wanted = {"p": normal([mean / width])[0], "mean": mean, "var": var, "low": low}
        cases.append(({"x": np.array(x, float), "optimism": optimism}, wanted))
    save("bayesian_probit", model, cases)

    model = spec({"items": "text dictionary", "n": "int"}, {"best": "text dictionary"})
    names = ["ant", "bee", "cow", "dog", "elk"]
    part = model.itemSimilarityRecommender
    part.itemStringIds.vector.extend(names)
    similar, shift = np.round(random.uniform(0, 1, (5, 5)), 2), np.round(random.uniform(0, 1, 5), 2)
    np.fill_diagonal(similar, 0)
    for item in range(5):
        row = part.itemItemSimilarities.add(itemId=item, itemScoreAdjustment=shift[item])
        for other in range(5):
            if similar[item, other] > 0.3:
                row.similarItemList.add(itemId=other, similarityScore=similar[item, other])
    part.itemInputFeatureName, part.numRecommendationsInputFeatureName = "items", "n"
    part.recommendedItemScoreOutputFeatureName = "best"
    links = np.where(similar > 0.3, similar, 0)
    cases = []
    for given, count in (({"bee": 2.0}, 2), ({"ant": 1.0, "elk": 3.0}, 0)):
        places = [names.index(name) for name in given]
        score = sum(links[i] * (value - shift) for i, value in zip(places, given.values()))
        order = [k for k in np.argsort(-score, kind="stable") if k not in places][: count or None]
        wanted = {"best.keys": np.array(names)[order], "best.values": score[order]}
        cases.append(({"items.keys": list(given), "items.values": list(given.values()), "n": count}, wanted))
    save("recommender", model, cases)


def thresholds(save, random):
    model = spec({"p": "text dictionary"}, {"q": "text dictionary"})
    curve = model.classConfidenceThresholding.precisionRecallCurves.add()
    for values in (curve.precisionValues, curve.precisionConfidenceThresholds, curve.recallValues, curve.recallConfidenceThresholds):
        values.vector.extend([0.25, 0.75])
    given = {"p.keys": np.array(["a", "b"]), "p.values": [0.5, 0.25]}
    save("thresholds", model, [(given, {"q.keys": given["p.keys"], "q.values": given["p.values"]})])


def write(save, random):
    for part in (linear, machine, trees, nearest, categories, arrays, suppression, others, thresholds):
        part(save, random)

"""Writes neighbors.zip: nearest-neighbour classifiers that learn, NAME.mlmodel by coremltools, each with NAME.json: what it
answers at first and after samples are added, as scikit-learn does that is fitted on all of them.

Some stand in pipelines, behind a frozen network or behind a scaler; `rows` and `x` are what the pipeline takes, `inputs` says in which
features, and `samples` is what the model before gives.

Where samples as near as each other are more than vote, scikit-learn takes any; there numpy answers, by the first of them.

Needs scikit-learn 1.9.1 beside coremltools 9.

usage: make_neighbors.py
"""

import json
import pathlib
import zipfile

import numpy as np
from coremltools.models import datatypes, feature_vectorizer
from coremltools.models.nearest_neighbors import KNearestNeighborsClassifierBuilder
from coremltools.models.neural_network import NeuralNetworkBuilder
from coremltools.proto import Model_pb2
from sklearn.neighbors import KNeighborsClassifier

import updatable_pipelines

random = np.random.RandomState(11)
archive = {}


def inverse(distances):
    squares = np.asarray(distances) ** 2
    met = squares == 0
    with np.errstate(divide="ignore"):
        return np.where(met.any(1, keepdims=True), met.astype(float), 1 / squares)


def uniform(distances):
    return np.ones_like(distances)


def answer(samples, labels, k, weigh, x, empty):
    if not len(samples):
        return [empty], np.array([1.0]), 0
    classes = np.unique(labels)
    k = min(k, len(samples))
    distances = np.sqrt(((samples.astype(float) - x) ** 2).sum(1))
    order = np.argsort(distances, kind="stable")
    if k < len(samples) and distances[order[k - 1]] == distances[order[k]]:
        weights = weigh(distances[order[:k]][None])[0]
        votes = np.array([weights[labels[order[:k]] == name].sum() for name in classes])
        return classes.tolist(), votes / votes.sum(), int(votes.argmax())
    model = KNeighborsClassifier(k, algorithm="brute", weights=weigh).fit(samples.astype(float), labels)
    label = model.predict(x[None])[0]
    return classes.tolist(), model.predict_proba(x[None])[0], classes.tolist().index(label)


class Nothing:
    """No model before."""

    inputs, specs = {"x": 2}, []

    def rows(self, x):
        return x


class Network:
    """A frozen network before: two sums of three numbers, exact in float32."""

    inputs = {"x": 3}
    weight, bias = np.array([[1, 0, -1], [0.5, 1, 0.25]]), np.array([1, -0.5])

    @property
    def specs(self):
        builder = NeuralNetworkBuilder([("x", datatypes.Array(3))], [("f", datatypes.Array(2))])
        builder.add_inner_product("w", self.weight, self.bias, 3, 2, True, "x", "f")
        return [builder.spec]

    def rows(self, x):
        return x @ self.weight.T + self.bias


class Scaler:
    """Two numbers made an array, then shifted and scaled."""

    inputs = {"height": 1, "width": 1}
    shift, scale = np.array([0.5, -1]), np.array([2, 0.5])

    @property
    def specs(self):
        numbers = [(name, datatypes.Double()) for name in self.inputs]
        vectorizer = feature_vectorizer.create_feature_vectorizer(numbers, "v")[0]
        scaler = Model_pb2.Model(specificationVersion=1)
        for feature, name in ((scaler.description.input.add(), "v"), (scaler.description.output.add(), "f")):
            feature.name = name
            feature.type.multiArrayType.dataType = vectorizer.description.output[0].type.multiArrayType.dataType
            feature.type.multiArrayType.shape.append(2)
        scaler.scaler.shiftValue.extend(self.shift)
        scaler.scaler.scaleValue.extend(self.scale)
        return [vectorizer, scaler]

    def rows(self, x):
        return (x + self.shift) * self.scale


def stage(rows, labels, k, weigh, empty, front):
    width = sum(front.inputs.values())
    points = np.concatenate([rows[:3].astype(float), random.randint(-6, 7, (8, width)) / 2])
    samples = front.rows(rows).astype(np.float32)
    cases = []
    for x in points:
        keys, values, place = answer(samples, labels, k, weigh, front.rows(x), empty)
        cases.append({"x": x.tolist(), "label": keys[place], "keys": keys, "values": values.tolist()})
    classes, members = np.unique(labels, return_inverse=True) if len(labels) else (np.array([]), np.array([], int))
    held = {"rows": rows.ravel().tolist(), "samples": samples.ravel().tolist(), "classes": classes.tolist(), "members": members.tolist(), "neighbors": k}
    return held | {"cases": cases}


def save(name, names, weighting, index, count, k, allowed, front=Nothing(), classifies=False):
    empty = names[0] if isinstance(names[0], str) else -7
    builder = KNearestNeighborsClassifierBuilder(
        "f" if front.specs else "x", "label", 2, empty, weighting_scheme=weighting, index_type=index, leaf_size=3
    )
    builder.set_number_of_neighbors_with_bounds(k, **allowed)
    width = sum(front.inputs.values())
    rows = random.randint(-3, 4, (count, width)).astype(np.float32)
    labels = np.array([names[i] for i in random.randint(0, len(names) - 1, count)], np.array(names).dtype)
    if count:
        builder.add_samples(front.rows(rows).tolist(), labels.tolist())
    weigh = inverse if weighting == "inverse_distance" else uniform
    stages = [stage(rows, labels, k, weigh, empty, front)]
    for added in (1, 9, 20):
        more = (random.randint(-7, 8, (added, width)) / 2).astype(np.float32)
        rows = np.concatenate([rows, more])
        labels = np.concatenate([labels, [names[i] for i in random.randint(0, len(names), added)]])
        stages.append(stage(rows, labels, k + added % 3 - 1 if k > 1 else k, weigh, empty, front))
    spec = updatable_pipelines.chained([*front.specs, builder.spec], classifies) if front.specs else builder.spec
    archive[f"{name}.mlmodel"] = spec.SerializeToString()
    limits = {"range": allowed.get("allowed_range"), "set": sorted(allowed.get("allowed_set", []))}
    inputs = [{"name": feature, "count": count} for feature, count in front.inputs.items()]
    archive[f"{name}.json"] = json.dumps(limits | {"inputs": inputs, "stages": stages}).encode()


if __name__ == "__main__":
    kinds = {"texts": ["b", "ä", "a", "Z", ""], "integers": [3, -4, 900, 0, 12]}
    allowed = [{"allowed_range": (1, 30)}, {"allowed_set": {7, 1, 4, 5}}]
    for kind, names in kinds.items():
        for weighting in ("uniform", "inverse_distance"):
            for index in ("linear", "kd_tree"):
                for number, (count, k) in enumerate(((0, 4), (2, 5), (25, 4), (12, 1))):
                    limits = allowed[(number + len(index)) % 2]
                    save(f"{kind}_{weighting}_{index}_{count}", names, weighting, index, count, k, limits)
    for front in (Network(), Scaler()):
        for classifies in (True, False):
            kind, weighting, index = ("texts", "uniform", "linear") if classifies else ("integers", "inverse_distance", "kd_tree")
            form, before = "classifier" if classifies else "plain", type(front).__name__.lower()
            count = 12 if classifies == (before == "network") else 0
            name = f"pipeline_{form}_{before}"
            save(name, kinds[kind], weighting, index, count, 4, allowed[0], front, classifies)
    path = pathlib.Path(__file__).parent / "neighbors.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, data in sorted(archive.items()):
            out.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 9)
    print(f"{len(archive) // 2} models, {path.stat().st_size} bytes")

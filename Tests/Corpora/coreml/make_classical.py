"""Writes classical.zip: Core ML models that are no networks, NAME.mlmodel, each with NAME.json: cases of inputs and outputs by
port, {"shape": …, "values": …}, NaN and infinities as texts.

coremltools makes the models, from scikit-learn and xgboost or by hand, and cannot run them here; the answers are those of the
original models, or numpy's from the documented formulas. Needs scikit-learn 1.5.1 and xgboost 3.2.0 beside coremltools 9.

usage: make_classical.py
"""

import json
import math
import pathlib
import warnings
import zipfile

import classical_parts
import numpy as np
import xgboost
from coremltools.converters import sklearn as from_sklearn
from coremltools.converters import xgboost as from_xgboost
from sklearn import ensemble, feature_extraction, impute, linear_model, neighbors, preprocessing, svm, tree
from sklearn.pipeline import Pipeline

warnings.filterwarnings("ignore")
random = np.random.RandomState(3)
archive = {}


def port(value):
    array = np.asarray(value)
    values = array.ravel().tolist()
    if array.dtype.kind == "f":
        values = [x if math.isfinite(x) else str(x) for x in values]
    return {"shape": list(array.shape), "values": values}


def save(name, model, cases):
    spec = model.get_spec() if hasattr(model, "get_spec") else model
    archive[f"{name}.mlmodel"] = spec.SerializeToString()
    record = [
        {"inputs": {k: port(v) for k, v in given.items()}, "outputs": {k: port(v) for k, v in wanted.items()}}
        for given, wanted in cases
    ]
    archive[f"{name}.json"] = json.dumps(record).encode()


def data(rows, columns, classes=0):
    x = np.round(random.normal(0, 1, (rows, columns)), 2).astype(np.float32).astype(np.float64)
    score = x @ random.normal(0, 1, (columns, max(classes, 1))) + random.normal(0, 0.3, (rows, max(classes, 1)))
    return x, (score.argmax(1) if classes > 2 else (score[:, 0] > 0).astype(int) if classes else score[:, 0])


def classifier(name, model, x, scores=True, texts=False, features="x", scale=1, chances=None):
    spec = from_sklearn.convert(model, features, "label")
    probabilities = "classProbability"
    label = model.predict(x)
    chances = model.predict_proba(x) if scores and chances is None else chances
    cases = []
    for row in range(len(x)):
        given = {"x": x[row]} if features == "x" else dict(zip(features, x[row]))
        wanted = {"label": str(label[row]) if texts else int(label[row])}
        if scores:
            wanted[probabilities] = chances[row] * scale
        cases.append((given, wanted))
    save(name, spec, cases)


def regressor(name, model, x, features="x"):
    spec = from_sklearn.convert(model, features, "y")
    y = model.predict(x)
    rows = range(len(x))
    save(name, spec, [({"x": x[r]} if features == "x" else dict(zip(features, x[r])), {"y": y[r]}) for r in rows])


def transformer(name, model, x):
    spec = from_sklearn.convert(model, "x", "y")
    y = model.transform(x)
    y = y.toarray() if hasattr(y, "toarray") else y
    save(name, spec, [({"x": row}, {"y": wanted}) for row, wanted in zip(x, y)])


def linear():
    x, y = data(60, 4)
    regressor("linear_regression", linear_model.LinearRegression().fit(x, y), x[:4])
    regressor("linear_numbers", linear_model.Ridge().fit(x, y), x[:4], ["a", "b", "c", "d"])
    regressor("linear_svr", svm.LinearSVR().fit(x, y), x[:4])
    for classes in (2, 3):
        x, y = data(60, 4, classes)
        names = np.array(["cat", "dog", "red fox"])[y]
        model = linear_model.LogisticRegression(multi_class="ovr")
        classifier(f"logistic_{classes}", model.fit(x, y), x[:6])
        classifier(f"logistic_texts_{classes}", model.fit(x, names), x[:6], texts=True)
        # The converter makes probabilities of distances from the planes.
        model = svm.LinearSVC().fit(x, y)
        chances = classical_parts.logistic(model.decision_function(x[:6]))
        chances = chances / chances.sum(1, keepdims=True) if classes > 2 else np.stack([1 - chances, chances], 1)
        classifier(f"linear_svc_{classes}", model, x[:6], chances=chances)


def machines():
    for kernel in ("linear", "rbf", "poly", "sigmoid"):
        x, y = data(40, 3)
        regressor(f"svr_{kernel}", svm.SVR(kernel=kernel, coef0=0.5).fit(x, y), x[:4])
        for classes in (2, 4):
            x, y = data(50, 3, classes)
            model = svm.SVC(kernel=kernel, coef0=0.5).fit(x, y)
            classifier(f"svc_{kernel}_{classes}", model, x[:8], scores=False)
    x, y = data(60, 3, 3)
    classifier("svc_probability", svm.SVC(probability=True, random_state=1).fit(x, y), x[:8])
    classifier("nu_svc_probability", svm.NuSVC(nu=0.3, probability=True, random_state=1).fit(x, y * 5), x[:8])
    x, y = data(40, 3)
    regressor("nu_svr", svm.NuSVR().fit(x, y), x[:4])


def trees():
    for classes in (2, 3):
        x, y = data(60, 4, classes)
        y = np.array([3, 7, 9])[y]
        # Rows that are in both classes end in leaves of equal shares.
        x, y = np.concatenate([x, x[:8]]), np.concatenate([y, y[1:9]])
        names = np.array(["ab", "c", "d"])[y // 3 - 1]
        classifier(f"tree_{classes}", tree.DecisionTreeClassifier(max_depth=4, random_state=1).fit(x, names), x[:10], texts=True)
        forest = ensemble.RandomForestClassifier(7, max_depth=4, random_state=1)
        # The converter adds up what trees say of more than two classes, and does not divide by their number.
        classifier(f"forest_{classes}", forest.fit(x, y), x[:10], scale=7 if classes > 2 else 1)
        boosted = ensemble.GradientBoostingClassifier(n_estimators=5, random_state=1)
        classifier(f"boosted_{classes}", boosted.fit(x, y), x[:10])
    x, y = data(60, 4)
    names = ["a", "b", "c", "d"]
    regressor("tree_regression", tree.DecisionTreeRegressor(max_depth=4).fit(x, y), x[:6], names)
    regressor("forest_regression", ensemble.RandomForestRegressor(7, max_depth=4).fit(x, y), x[:6])
    regressor("boosted_regression", ensemble.GradientBoostingRegressor(n_estimators=6).fit(x, y), x[:6])


def boosters():
    names = ["a", "b", "c", "d"]
    x, y = data(80, 4)
    gaps = np.where(random.uniform(0, 1, x.shape) < 0.2, np.nan, x)
    model = xgboost.XGBRegressor(n_estimators=6, max_depth=3, base_score=0.5).fit(gaps, y)
    spec = from_xgboost.convert(model, names, "y")
    save("xgboost", spec, [(dict(zip(names, row)), {"y": v}) for row, v in zip(gaps[:10], model.predict(gaps[:10]))])
    for classes in (2, 3):
        x, y = data(80, 4, classes)
        gaps = np.where(random.uniform(0, 1, x.shape) < 0.2, np.nan, x)
        model = xgboost.XGBClassifier(n_estimators=6, max_depth=3, base_score=0.5).fit(gaps, y)
        spec = from_xgboost.convert(
            model, names, "label", mode="classifier", class_labels=list(range(classes)), n_classes=classes
        )
        answers = zip(model.predict(gaps[:10]), model.predict_proba(gaps[:10]))
        save(
            f"xgboost_{classes}",
            spec,
            [(dict(zip(names, row)), {"label": int(v), "classProbability": p}) for row, (v, p) in zip(gaps[:10], answers)],
        )


def nearest():
    x, y = data(40, 3, 3)
    for algorithm in ("brute", "kd_tree"):
        model = neighbors.KNeighborsClassifier(n_neighbors=4, algorithm=algorithm).fit(x, y)
        spec = from_sklearn.convert(model, "x", "label")
        rows = np.round(random.normal(0, 1, (12, 3)), 2)
        labels = model.predict(rows.astype(np.float32))
        save(f"nearest_{algorithm}", spec, [({"x": row}, {"label": int(v)}) for row, v in zip(rows, labels)])


def transformers():
    x, _ = data(20, 4)
    transformer("standard_scaler", preprocessing.StandardScaler().fit(x), x[:3])
    for norm in ("l1", "l2", "max"):
        rows = np.concatenate([x[:3], np.zeros((1, 4))])
        transformer_of_array(f"normalizer_{norm}", preprocessing.Normalizer(norm=norm).fit(x), rows)
    gaps = np.where(random.uniform(0, 1, x.shape) < 0.3, np.nan, x)
    transformer("imputer", impute.SimpleImputer(strategy="mean").fit(gaps), gaps[:4])
    codes = random.randint(0, 3, (30, 2)).astype(float)
    codes[:3] = [[0, 0], [1, 1], [2, 2]]
    transformer("one_hot_pipeline", preprocessing.OneHotEncoder(handle_unknown="ignore").fit(codes), np.array([[0, 2], [2, 1], [5, 0]]))
    words = [{"b": 1.0, "a": 2.5}, {"c": 3.0}, {"a": -1.0, "z": 9.0}, {}]
    model = feature_extraction.DictVectorizer().fit(words[:2])
    spec = from_sklearn.convert(model, "x", "y")
    cases = []
    for given in words:
        keys, values = list(given), np.array(list(given.values()))
        cases.append(({"x.keys": np.array(keys, str), "x.values": values}, {"y": model.transform([given]).toarray()[0]}))
    save("dict_vectorizer", spec, cases)
    x, y = data(60, 4, 3)
    steps = [("scale", preprocessing.StandardScaler()), ("trees", ensemble.GradientBoostingClassifier(n_estimators=4))]
    classifier("scaled_trees", Pipeline(steps).fit(x, y), x[:5])


def transformer_of_array(name, model, x):
    """The converter cannot tell how many features a normaliser has."""
    from coremltools.models import datatypes

    array = datatypes.Array(x.shape[1])
    spec = from_sklearn._normalizer.convert(model, [("x", array)], [("y", array)])
    save(name, spec, [({"x": row}, {"y": wanted}) for row, wanted in zip(x, model.transform(x))])


if __name__ == "__main__":
    for part in (linear, machines, trees, boosters, nearest, transformers):
        part()
    classical_parts.write(save, random)
    path = pathlib.Path(__file__).parent / "classical.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, data in sorted(archive.items()):
            out.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 9)
    print(f"{len(archive) // 2} models, {path.stat().st_size} bytes")

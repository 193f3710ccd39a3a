"""Operators on whole tensors, gathers and scatters."""

import numpy as np
from coremltools.converters.mil.mil import Builder as mb

from programs import TARGETS, case, ints, iOS15, iOS16, iOS17, rand
from reference import ort


def target(index):
    return TARGETS[index % 4]


x = rand(3, 4, 5)
case("band_part", [x], lambda x: mb.band_part(x=x, lower=1, upper=2), None)
case("band_part_default", [x], lambda x: mb.band_part(x=x, upper=0), None, iOS17)
for name, options in {"plain": {}, "axis": dict(axis=1), "reverse": dict(axis=-1, reverse=True)}.items():
    case(f"cumsum_{name}", [x], lambda x: mb.cumsum(x=x, **options), None)
case("cumsum_exclusive", [x], lambda x: mb.cumsum(x=x, axis=1, exclusive=True), (
    lambda x: np.cumsum(x, 1) - x), iOS17)
case("fill", [x], lambda x: mb.add(x=x, y=mb.fill(shape=[4, 5], value=2.5)), lambda x: x + 2.5)
case("fill_computed", [ints(1, 4, 2)], lambda n: mb.fill(shape=n, value=7), lambda n: np.full(n, 7), iOS16)
case("fill_like", [x], lambda x: mb.fill_like(ref_tensor=x, value=3), lambda x: np.full(x.shape, 3), iOS16)
case("fill_like_default", [x], lambda x: mb.fill_like(ref_tensor=x), lambda x: np.zeros(x.shape), iOS17)
case("range_1d", [np.float32([5.5])], lambda e: mb.range_1d(end=mb.squeeze(x=e), start=0.5, step=1.5), lambda e: (
    np.arange(0.5, 5.5, 1.5)), iOS15)
case("one_hot", [ints(0, 4, 2, 3)], lambda x: mb.one_hot(indices=x, one_hot_vector_size=4, axis=1, on_value=2.0, off_value=-1.0), (
    lambda x: np.where(x[:, None] == np.arange(4)[:, None], 2.0, -1.0)))
case("one_hot_default", [ints(0, 4, 3)], lambda x: mb.one_hot(indices=x, one_hot_vector_size=5), lambda x: np.eye(5, dtype=int)[x],
     iOS17)
case("non_zero", [np.float32([[0, 1], [2, 0]])], lambda x: mb.non_zero(x=x), None)
for mode in ["constant", "reflect", "replicate"]:
    case(f"pad_{mode}", [rand(2, 3, 4)], lambda x: mb.pad(x=x, pad=[1, 2, 1, 0], mode=mode, constant_val=0.5), lambda x: np.pad(
        x, [(0, 0), (1, 2), (1, 0)], {"replicate": "edge"}.get(mode, mode), **(
            dict(constant_values=0.5) if mode == "constant" else {})), target(len(mode)))
for name, options in {"plain": dict(k=2), "ascending": dict(k=3, axis=0, ascending=True), "default": {}}.items():
    def order(x):
        axis, k = options.get("axis", -1), options.get("k", 1)
        places = np.argsort(x if options.get("ascending") else -x, axis, kind="stable").take(range(k), axis)
        return np.take_along_axis(x, places, axis), places
    case(f"topk_{name}", [x], lambda x: mb.topk(x=x, **options), order)
case("topk_values", [x], lambda x: mb.topk(x=x, k=2, axis=1, sort=False, return_indices=False), lambda x: (
    -np.sort(-x, 1)[:, :2]), iOS16)
case("topk_uint16", [x], lambda x: mb.topk(x=x, k=2, axis=1, output_indices_dtype="uint16")[1], lambda x: (
    np.argsort(-x, 1)[:, :2]), iOS17)
case("argsort", [x], lambda x: mb.argsort(x=x, axis=1, ascending=True), lambda x: np.argsort(x, 1))
case("argsort_default", [x], lambda x: mb.argsort(x=x), lambda x: np.argsort(-x, -1), iOS17)
case("select", [x, rand(3, 4, 5)], lambda x, y: mb.select(cond=mb.greater(x=x, y=y), a=x, b=y), np.maximum)
case("einsum", [rand(2, 3, 4, 5), rand(2, 5, 4, 6)], lambda x, y: mb.einsum(values=[x, y], equation="bcij,bjik->bcik"), (
    lambda x, y: np.einsum("bcij,bjik->bcik", x, y)))

x = rand(4, 5, 3)
for index, options in enumerate([{}, dict(axis=1), dict(axis=-1)]):
    extent = [4, 5, 3][index]
    case(f"gather_{index}", [x, ints(0, extent, 2, 2)], lambda x, i: mb.gather(x=x, indices=i, **options), (
        lambda x, i: np.take(x, i, options.get("axis", 0))), target(index))
case("gather_batch", [x, ints(0, 5, 4, 2)], lambda x, i: mb.gather(x=x, indices=i, axis=1, batch_dims=1), lambda x, i: (
    np.stack([x[b][i[b]] for b in range(4)])), iOS16)
case("gather_validated", [x, ints(0, 4, 3)], lambda x, i: mb.gather(x=x, indices=i, validate_indices=True), (
    lambda x, i: x[i]), iOS17)
case("gather_nd", [x, ints(0, 4, 3, 2)], lambda x, i: mb.gather_nd(x=x, indices=i), lambda x, i: x[i[:, 0], i[:, 1]])
case("gather_nd_batch", [x, ints(0, 3, 4, 2, 1)], lambda x, i: mb.gather_nd(x=x, indices=i, batch_dims=1), lambda x, i: (
    np.stack([x[b][i[b, :, 0]] for b in range(4)])), iOS17)
case("gather_along_axis", [x, ints(0, 5, 4, 2, 3)], lambda x, i: mb.gather_along_axis(x=x, indices=i, axis=1), (
    lambda x, i: np.take_along_axis(x, i, 1)))
MODES = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum, "min": np.minimum,
         "update": lambda old, new: new}
for index, (mode, act) in enumerate(MODES.items()):
    options = dict(mode=mode, validate_indices=True) if index % 2 else dict(mode=mode)

    def scattered(x, i, u, axis):
        y = np.moveaxis(x.copy(), axis, 0)
        for place, row in zip(i, np.moveaxis(u, axis, 0)):
            y[place] = act(y[place], row)
        return np.moveaxis(y, 0, axis)

    def along(x, i, u):
        y = x.copy()
        for place in np.ndindex(i.shape):
            goal = (place[0], i[place], place[2])
            y[goal] = act(y[goal], u[place])
        return y

    def nd(x, i, u):
        y = x.copy()
        for goal, row in zip(i, u):
            y[tuple(goal)] = act(y[tuple(goal)], row)
        return y

    version = iOS17 if index % 2 else iOS15
    case(f"scatter_{mode}", [x, np.int32([3, 0]), rand(4, 2, 3, low=0.5)], lambda x, i, u: mb.scatter(
        data=x, indices=i, updates=u, axis=1, **options), lambda x, i, u: scattered(x, i, u, 1), version)
    case(f"scatter_along_axis_{mode}", [x, ints(0, 5, 4, 2, 3), rand(4, 2, 3, low=0.5)], lambda x, i, u: (
        mb.scatter_along_axis(data=x, indices=i, updates=u, axis=1, **options)), along, version)
    case(f"scatter_nd_{mode}", [x, ints(0, 4, 3, 2), rand(3, 3, low=0.5)], lambda x, i, u: mb.scatter_nd(
        data=x, indices=i, updates=u, **options), nd, version)

# MARK: Where it matters which side a number is on

edge = np.float32([[-1, 2, -3], [4, -5, 2]])
case("thresholded_relu_edge", [edge], lambda x: mb.thresholded_relu(x=x, alpha=2.0), lambda x: np.where(x >= 2, x, 0))
line = np.float32([0, 1]).reshape(1, 1, 2)
case("upsample_bilinear_ratio", [line], lambda x: mb.upsample_bilinear(
    x=x, scale_factor_height=1.0, scale_factor_width=2.6, align_corners=False), (
    lambda x: np.float32([0, 0.1, 0.5, 0.9, 1]).reshape(1, 1, 5)))

"""Operators that gather, scatter, sort and count, with results whose sizes data decides."""

import numpy as np
from onnx import numpy_helper

from .graph import Refused


def places(g, extent, shape):
    if extent == 0:
        raise Refused
    kind = g.choose([np.int64, np.int32])
    array = np.asarray(g.rng.integers(-extent if g.opset >= 11 else 0, extent, shape), kind)
    return g.input(array) if g.chance(0.4) else g.constant(array)


def gather(g):
    x = g.any(at_least=1)
    axis = g.axis(x)
    g.node("Gather", x, places(g, g.values[x].shape[axis], g.shape(g.integer(0, 2))), axis=axis, exact=True)


def gather_elements(g):
    x = g.any(at_least=1)
    axis, shape = g.axis(x), list(g.values[x].shape)
    extent = shape[axis]
    shape = [g.integer(1, n) if n else 0 for n in shape]
    shape[axis] = g.integer(1, 4)
    g.node("GatherElements", x, places(g, extent, shape), axis=axis, exact=True)


def gather_nd(g):
    x = g.any(at_least=1)
    batch = g.integer(0, g.rank(x) - 1) if g.opset >= 12 and g.chance(0.4) else 0
    shape = g.values[x].shape
    depth = g.integer(1, len(shape) - batch)
    outer = list(shape[:batch]) + [g.integer(1, 3) for _ in range(g.integer(0 if batch else 1, 2))]
    if 0 in shape:
        raise Refused
    columns = [g.rng.integers(-n, n, outer + [1]) for n in shape[batch : batch + depth]]
    indices = np.concatenate(columns, -1).astype(np.int64)
    g.node(
        "GatherND",
        x,
        g.input(indices, fixed=True) if g.chance(0.4) else g.constant(indices),
        batch_dims=batch or None,
        exact=True,
    )


def scatter(g):
    x = g.any(at_least=1)
    axis, value = g.axis(x), g.values[x]
    shape = [g.integer(1, n) if n else 0 for n in value.shape]
    extent = value.shape[axis]
    reduction = g.choose([None, "add", "mul", "min", "max"]) if g.opset >= 16 else None
    if reduction in (None, "mul"):
        # Each place once: which of two wins is not said.
        rows = np.stack([g.rng.permutation(extent) for _ in range(int(np.prod(shape)) // max(1, shape[axis]))] or [[]])
        rows = rows[:, : shape[axis]].reshape(
            [n for a, n in enumerate(shape) if a != axis % value.ndim] + [shape[axis]]
        )
        indices = g.constant(np.moveaxis(rows, -1, axis), np.int64)
    else:
        indices = places(g, extent, shape)
    updates = g.input(g.data(value.dtype, shape))
    g.node(
        "ScatterElements" if g.opset >= 11 else "Scatter",
        x,
        indices,
        updates,
        axis=axis,
        reduction=reduction,
        exact=True,
    )


def scatter_nd(g):
    x = g.any(at_least=1)
    shape = g.values[x].shape
    if 0 in shape or g.opset < 11:
        raise Refused
    depth = g.integer(1, len(shape))
    flat = g.rng.permutation(int(np.prod(shape[:depth])))[: g.integer(1, 4)]
    indices = np.stack(np.unravel_index(flat, shape[:depth]), -1).astype(np.int64)
    updates = g.input(g.data(g.values[x].dtype, [len(flat), *shape[depth:]]))
    reduction = g.choose([None, "add", "min", "max"]) if g.opset >= 18 else None
    g.node("ScatterND", x, g.constant(indices), updates, reduction=reduction, exact=True)


def top(g):
    x = g.any(at_least=1)
    axis, extent = g.axis(x), g.values[x].shape
    k = g.integer(1, max(1, extent[axis]))
    if g.opset < 10:
        return g.node("TopK", x, outputs=2, k=k, axis=axis, exact=True)
    options = {"largest": g.integer(0, 1), "sorted": 1} if g.opset >= 11 else {}
    g.node("TopK", x, g.integers(k), outputs=2, axis=axis, exact=True, **options)


def arg(g):
    x = g.any(at_least=1)
    last = g.integer(0, 1) if g.opset >= 12 and g.chance(0.3) else None
    axis = g.axis(x) if g.opset >= 11 else g.axis(x) % g.rank(x)
    g.node(g.choose(["ArgMax", "ArgMin"]), x, axis=axis, keepdims=g.integer(0, 1), select_last_index=last)


def non_zero(g):
    x = g.any(at_least=1)
    if not g.values[x].any() and not g.blank:
        raise Refused
    y = g.node("NonZero", x)
    if g.chance(0.5):
        t = g.node("Transpose", y, perm=[1, 0], exact=True)
        g.node("GatherND", x, t, exact=True) if g.opset >= 11 else None


def compress(g):
    x = g.any(at_least=1)
    axis = g.axis(x) if g.chance(0.7) else None
    if axis is not None and g.opset < 11:
        axis %= g.rank(x)
    count = g.values[x].size if axis is None else g.values[x].shape[axis]
    condition = g.data(bool, (g.integer(1, max(1, count)),))
    # Past the end onnxruntime takes nothing; numpy, by which ONNX defines it, refuses.
    if condition[count:].any() or (not condition.any() and not g.blank):
        raise Refused
    g.node("Compress", x, g.input(condition) if g.chance(0.6) else g.constant(condition), axis=axis, exact=True)


def unique(g):
    x = g.of([np.dtype(np.float32), np.dtype(np.int64)], at_least=1)
    g.node("Unique", x, outputs=4, axis=g.axis(x) if g.chance(0.4) else None, sorted=g.integer(0, 1), exact=True)


def counted(g):
    """A range as long as an axis of something."""
    x = g.any(at_least=1)
    n = g.node("Gather", g.node("Shape", x), g.constant(g.axis(x) if g.opset >= 11 else 0, np.int64), axis=0)
    if g.chance(0.4):
        n = g.node(g.choose(["Add", "Mul"]), n, g.constant(g.integer(1, 2), np.int64))
    g.node("Range", g.constant(0, np.int64), n, g.constant(g.integer(1, 2), np.int64))


def filled(g):
    shape = g.node("Shape", g.any(at_least=1))
    fill = numpy_helper.from_array(g.data(g.choose([np.float32, np.int64, np.int32, bool, np.float16]), (1,)))
    g.node("ConstantOfShape", shape, value=fill if g.chance(0.8) else None, exact=True)


def hot(g):
    depth = g.constant(g.integer(2, 6), np.int64)
    values = g.constant(g.data(g.choose([np.float32, np.int64]), (2,)))
    indices = g.of([np.dtype(np.int64), np.dtype(np.int32)], at_least=1)
    g.node("OneHot", indices, depth, values, axis=g.integer(-g.rank(indices) - 1, g.rank(indices)), exact=True)


def eye(g):
    g.node(
        "EyeLike", g.pick(lambda v: v.ndim == 2, lambda: g.data(np.float32, g.shape(2))), k=g.integer(-2, 2), exact=True
    )


RECIPES = [
    (gather, 3),
    (gather_elements, 1),
    (gather_nd, 1),
    (scatter, 1),
    (scatter_nd, 1),
    (top, 2),
    (arg, 1),
    (non_zero, 1),
    (compress, 1),
    (unique, 0.5),
    (counted, 1),
    (filled, 1),
    (hot, 1),
    (eye, 0.3),
]

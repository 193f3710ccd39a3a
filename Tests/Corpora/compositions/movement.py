"""Operators that move, cut, repeat, join and choose elements."""

import numpy as np

from .graph import Refused


def transpose(g):
    x = g.any(at_least=1)
    g.node("Transpose", x, perm=None if g.chance(0.2) else g.rng.permutation(g.rank(x)).tolist(), exact=True)


def axes_node(g, op, x, axes, since=13, **attributes):
    """Axes are an attribute before operator set `since`, an input from then on."""
    if g.opset >= since:
        return g.node(op, x, g.integers(*axes), exact=True, **attributes)
    return g.node(op, x, axes=axes, exact=True, **attributes)


def unsqueeze(g):
    x = g.any()
    count = g.integer(1, 2)
    rank = g.rank(x) + count
    axes = [int(a) - (rank if g.chance(0.4) else 0) for a in g.rng.permutation(rank)[:count]]
    axes_node(g, "Unsqueeze", x, axes)


def squeeze(g):
    x = g.pick(lambda v: 1 in v.shape, lambda: g.data(np.float32, (1, 3, 1)))
    ones = [a for a, n in enumerate(g.values[x].shape) if n == 1]
    if g.chance(0.2):
        return g.node("Squeeze", x, exact=True)
    axes_node(g, "Squeeze", x, [a - (g.rank(x) if g.chance(0.4) else 0) for a in ones[: g.integer(1, len(ones))]])


def factors(g, count):
    """A shape of `count` elements."""
    shape = []
    while count > 1 and len(shape) < 4:
        divisors = [d for d in range(1, count + 1) if count % d == 0]
        shape.append(g.choose(divisors))
        count //= shape[-1]
    return shape + ([count] if count != 1 or not shape else [])


def reshape(g):
    x = g.any()
    value = g.values[x]
    shape = factors(g, value.size) if value.size else [0]
    if shape and value.size and g.chance(0.5):
        shape[g.integer(0, len(shape) - 1)] = -1
    elif value.ndim > 1 and value.size and g.chance(0.4):
        shape = [0] * g.integer(1, value.ndim - 1) + [-1]
    g.node("Reshape", x, g.integers(*shape), allowzero=None, exact=True)


def computed_reshape(g):
    """By sizes of its own: the first, and the rest; or those of another axis first."""
    x = g.any(at_least=2)
    shape = g.node("Shape", x)
    first = g.node("Gather", shape, g.integers(g.integer(0, g.rank(x) - 1)), axis=0)
    if g.chance(0.3):
        first = g.node("Div", g.node("Mul", first, g.integers(2)), g.integers(2))
    parts = [first, g.integers(-1)]
    if g.chance(0.3):
        parts.reverse()
    g.node("Reshape", x, g.node("Concat", *parts, axis=0), exact=True)


def flatten(g):
    x = g.any()
    rank = g.rank(x)
    g.node("Flatten", x, axis=g.integer(0 if g.opset < 11 else -rank, rank), exact=True)


def expand(g):
    x = g.any()
    shape = [n if n != 1 or g.chance(0.4) else g.integer(1, 3) for n in g.values[x].shape]
    shape = [1 if g.chance(0.2) else n for n in shape]
    if g.chance(0.3):
        shape = [g.integer(1, 3)] + shape
    if g.chance(0.3):
        return g.node("Expand", x, g.node("Shape", g.any(at_least=1)), exact=True)
    g.node("Expand", x, g.integers(*shape), exact=True)


def tile(g):
    x = g.any(at_least=1)
    g.node("Tile", x, g.integers(*[g.integer(0 if g.blank else 1, 3) for _ in range(g.rank(x))]), exact=True)


def concat(g):
    x = g.any(at_least=1)
    axis, value = g.axis(x), g.values[x]
    place = axis % value.ndim

    def wanted(other):
        rest = [s[:place] + s[place + 1 :] for s in (other.shape, value.shape)]
        return other.dtype == value.dtype and other.ndim == value.ndim and rest[0] == rest[1]

    def fresh():
        return g.data(value.dtype, value.shape[:place] + (g.integer(1, 3),) + value.shape[place + 1 :])

    g.node("Concat", x, *[g.pick(wanted, fresh) for _ in range(g.integer(0, 2))], axis=axis, exact=True)


def split(g):
    x = g.any(at_least=1)
    axis = g.axis(x) if g.opset >= 11 else g.axis(x) % g.rank(x)
    extent = g.values[x].shape[axis]
    if extent < 2:
        raise Refused
    cut = g.integer(0 if g.blank else 1, extent - 1)
    if g.opset >= 18 and g.chance(0.4):
        count = g.integer(2, min(extent, 3))
        return g.node("Split", x, outputs=count, axis=axis, num_outputs=count, exact=True)
    if g.opset >= 13:
        return g.node("Split", x, g.integers(cut, extent - cut), outputs=2, axis=axis, exact=True)
    g.node("Split", x, outputs=2, axis=axis, split=[cut, extent - cut], exact=True)


def cut(g):
    """Slices of odd steps, from either end, beyond the ends."""
    x = g.any(at_least=1)
    if g.opset < 10:
        return g.node(
            "Slice", x, starts=[g.integer(-4, 2)], ends=[g.integer(1, 9)], axes=[g.axis(x) % g.rank(x)], exact=True
        )
    axes = g.axes(x)
    starts, ends, steps = [], [], []
    for axis in axes:
        extent = g.values[x].shape[axis]
        step = g.choose([1, 1, 1, 2, 3, -1, -2])
        far = g.choose([2**31 - 1, 2**63 - 1, extent + 3])
        start, end = g.integer(-extent - 1, extent), g.choose([far, extent, extent - 1, -1])
        if step < 0:
            start, end = g.choose([-1, extent, far, start]), g.choose([-(2**31), -(2**63) + 1, -extent - 1, 0])
        starts, ends, steps = starts + [start], ends + [end], steps + [step]
    arguments = [g.integers(*starts), g.integers(*ends), g.integers(*axes)]
    if any(step != 1 for step in steps) or g.chance(0.5):
        arguments.append(g.integers(*steps))
    y = g.node("Slice", x, *arguments, exact=True)
    if 0 in g.values[y].shape and not g.blank:
        raise Refused


def pad(g):
    x = g.any(at_least=1)
    value = g.values[x]
    mode = g.choose(["constant", "constant", "reflect", "edge", "wrap"])
    low = -1 if g.chance(0.2) and mode in ("constant", "edge") else 0
    pads = [g.integer(low, min(2, max(0, n - 1)) if mode == "reflect" else 2) for n in value.shape * 2]
    if g.opset < 11:
        return g.node("Pad", x, pads=pads, mode=mode, value=1.5 if mode == "constant" else None, exact=True)
    fill = g.constant(2, value.dtype) if mode == "constant" and g.chance(0.5) else ""
    if g.opset >= 18 and g.chance(0.4):
        axes = g.axes(x)
        pads = [pads[a % value.ndim] for a in axes] + [pads[a % value.ndim] for a in axes]
        return g.node("Pad", x, g.integers(*pads), fill, g.integers(*axes), mode=mode, exact=True)
    g.node("Pad", x, g.integers(*pads), fill, mode=mode, exact=True)


def blocks(g):
    x = g.floats(rank=4)
    if g.chance(0.5):
        y = g.node("Pad", x, g.integers(0, 0, 0, 0, 0, 0, *[-n % 2 for n in g.values[x].shape[2:]]), exact=True)
        return g.node("SpaceToDepth", y, blocksize=2, exact=True)
    y = g.node("Tile", x, g.integers(1, 4, 1, 1), exact=True)
    g.node("DepthToSpace", y, blocksize=2, mode=g.choose(["DCR", "CRD"]) if g.opset >= 11 else None, exact=True)


def triangle(g):
    k = g.constant(g.integer(-2, 2), np.int64) if g.chance(0.6) else ""
    g.node("Trilu", g.any(at_least=2), k, upper=g.integer(0, 1), exact=True)


def reversed_rows(g):
    x = g.any(at_least=2)
    batch = g.integer(0, 1)
    n, t = g.values[x].shape[batch], g.values[x].shape[1 - batch]
    if t == 0:
        raise Refused
    lengths = g.constant(g.rng.integers(1, t + 1, n), np.int64)
    g.node("ReverseSequence", x, lengths, batch_axis=batch, time_axis=1 - batch, exact=True)


def centred(g):
    x = g.any(at_least=1)
    axes = sorted({a % g.rank(x) for a in g.axes(x)})
    g.node("CenterCropPad", x, g.integers(*[g.integer(1, 5) for _ in axes]), axes=axes, exact=True)


RECIPES = [
    (transpose, 3),
    (unsqueeze, 2),
    (squeeze, 1),
    (reshape, 3),
    (computed_reshape, 2),
    (flatten, 1),
    (expand, 2),
    (tile, 1),
    (concat, 3),
    (split, 2),
    (cut, 3),
    (pad, 2),
    (blocks, 0.5),
    (triangle, 0.5),
    (reversed_rows, 0.5),
    (centred, 0.5),
]

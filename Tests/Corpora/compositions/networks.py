"""Reductions, products, convolutions, pooling, norms and resizing."""

import numpy as np

from .graph import Refused

REDUCTIONS = "Sum Mean Max Min Prod L1 L2 SumSquare LogSum LogSumExp".split()


def reduce(g):
    x = g.any(at_least=0)
    kind = g.choose(REDUCTIONS)
    since = 13 if kind == "Sum" else 18
    keep = g.integer(0, 1)
    exact = kind in ("Max", "Min", "Sum")
    if kind in ("LogSum", "LogSumExp", "L2", "Mean") and g.values[x].dtype.kind != "f":
        raise Refused
    if g.values[x].size == 0 and (kind != "Sum" or g.opset < since):
        raise Refused
    if g.rank(x) == 0 or g.chance(0.2):
        return g.node(f"Reduce{kind}", x, keepdims=keep, exact=exact)
    axes = g.axes(x)
    if g.opset < 11:
        axes = [a % g.rank(x) for a in axes]
    if g.opset >= since:
        noop = g.integer(0, 1) if g.chance(0.2) else None
        axes = g.integers(*([] if noop is not None and g.chance(0.5) else axes))
        return g.node(f"Reduce{kind}", x, axes, keepdims=keep, noop_with_empty_axes=noop, exact=exact)
    g.node(f"Reduce{kind}", x, axes=axes, keepdims=keep, exact=exact)


def soft(g):
    x = g.floats(at_least=1)
    op = g.choose(["Softmax", "LogSoftmax", "Hardmax"])
    axis = g.axis(x) if g.chance(0.8) else None
    if axis is not None and g.opset < 11:
        axis %= g.rank(x)
    g.node(op, x, axis=axis)


def cumulative(g):
    x = g.any(at_least=1)
    axis = g.constant(g.axis(x), g.choose([np.int64, np.int32]))
    op = "CumProd" if g.opset >= 26 and g.chance(0.3) else "CumSum"
    g.node(op, x, axis, exclusive=g.integer(0, 1), reverse=g.integer(0, 1), exact=op == "CumSum")


def matmul(g):
    x = g.pick(lambda v: v.ndim >= 1 and v.dtype.kind == "f", lambda: g.data(np.float32, g.shape(g.integer(2, 3))))
    value = g.values[x]
    inner = value.shape[-1]

    def wanted(v):
        return v.dtype == value.dtype and v.ndim >= 1 and (v.shape[-2] if v.ndim > 1 else v.shape[0]) == inner

    def fresh():
        batch = [] if value.ndim < 3 or g.chance(0.5) else [1 if g.chance(0.3) else n for n in value.shape[:-2]]
        return g.data(value.dtype, [*batch, inner] + ([g.integer(1, 6)] if g.chance(0.9) or batch else []))

    y = g.pick(wanted, fresh)
    g.node("MatMul", x, y)


def gemm(g):
    x = g.floats(rank=2)
    value = g.values[x]
    ta, tb = g.integer(0, 1), g.integer(0, 1)
    (m, k), n = (value.shape[::-1] if ta else value.shape), g.integer(1, 5)
    b = g.constant(g.data(value.dtype, (n, k) if tb else (k, n)))
    c = (
        ""
        if g.opset >= 11 and g.chance(0.3)
        else g.constant(g.data(value.dtype, g.choose([(n,), (1, n), (m, 1), (), (m, n)])))
    )
    g.node("Gemm", x, b, c, transA=ta, transB=tb, alpha=g.choose([None, 0.5]), beta=g.choose([None, 2.0, 0.0]))


def einsum(g):
    equation, ranks = g.choose(
        [
            ("ij,jk->ik", 2),
            ("ij,kj->ki", 2),
            ("bij,bjk->bik", 3),
            ("bij,kj->ibk", 3),
            ("ij,ij->i", 2),
            ("ij->ji", 2),
            ("ij->", 2),
            ("bij,bij->ij", 3),
            ("bhid,bhjd->bhij", 4),
            ("...ij,jk->...ik", 3),
            ("ij,k->ikj", 2),
            ("i...,i...->...", 3),
            ("ii->i", 2),
        ]
    )
    x = g.floats(rank=ranks)
    if equation.startswith("ii"):
        g.fixed.add(x)
    sizes = {}
    terms = equation.split("->")[0].replace("...", "Z" if ranks == 3 and "ij" in equation else "ZY").split(",")
    for letter, extent in zip(terms[0], g.values[x].shape):
        sizes[letter] = extent
    operands = [x]
    for term in terms[1:]:
        shape = [sizes.setdefault(letter, g.integer(1, 4)) for letter in term]
        operands.append(
            g.pick(
                lambda v: v.dtype == g.values[x].dtype and list(v.shape) == shape,
                lambda: g.data(g.values[x].dtype, shape),
            )
        )
    g.node("Einsum", *operands, equation=equation)


def windows(g, spatial, extents):
    kernel = [g.integer(1, 3) for _ in range(spatial)]
    options = {"strides": [g.integer(1, 2) for _ in range(spatial)] if g.chance(0.5) else None}
    if g.chance(0.25):
        options["auto_pad"] = g.choose(["SAME_UPPER", "SAME_LOWER", "VALID"])
    else:
        options["pads"] = [g.integer(0, k - 1) for k in kernel * 2] if g.chance(0.6) else None
    return kernel, options


def image(g):
    spatial = g.choose([1, 2, 2, 2, 3])
    x = g.pick(
        lambda v: v.ndim == spatial + 2 and v.dtype in (np.float32, np.float16) and all(v.shape[1:]),
        lambda: g.data(
            np.float32, [g.integer(1, 2), g.choose([1, 2, 3, 4, 8])] + [g.integer(3, 8) for _ in range(spatial)]
        ),
    )
    return x, g.values[x], spatial


def convolution(g):
    x, value, spatial = image(g)
    kernel, options = windows(g, spatial, value.shape[2:])
    channels = value.shape[1]
    group = g.choose([d for d in range(1, channels + 1) if channels % d == 0])
    if g.chance(0.2):
        options["dilations"] = [g.integer(1, 2) for _ in range(spatial)]
    if g.chance(0.25):
        if options.get("strides") and "SAME" in options.get("auto_pad", ""):
            raise Refused  # a stride beyond the kernel gives fewer elements there than ONNX says
        weight = g.data(value.dtype, [channels, g.integer(1, 3), *kernel])
        bias = g.constant(g.data(value.dtype, (weight.shape[1] * group,))) if g.chance(0.5) else ""
        if options.get("strides") and g.chance(0.3):
            options["output_padding"] = [g.integer(0, s - 1) for s in options["strides"]]
        return g.node("ConvTranspose", x, g.constant(weight), bias, group=group, **options)
    weight = g.data(value.dtype, [group * g.integer(1, 3), channels // group, *kernel])
    w = g.constant(weight) if g.chance(0.8) else g.input(weight)
    bias = g.constant(g.data(value.dtype, weight.shape[:1])) if g.chance(0.5) else ""
    g.node("Conv", x, w, bias, group=group, kernel_shape=kernel if g.chance(0.5) else None, **options)


def pool(g):
    x, value, spatial = image(g)
    if g.chance(0.2):
        return g.node(g.choose(["GlobalAveragePool", "GlobalMaxPool"]), x)
    kernel, options = windows(g, spatial, value.shape[2:])
    if g.opset >= 10:
        options["ceil_mode"] = g.integer(0, 1) if g.chance(0.3) else None
    if g.chance(0.2) and g.opset >= 10:
        options["dilations"] = [g.integer(1, 2) for _ in range(spatial)]
    if "dilations" in options and "SAME" in options.get("auto_pad", ""):
        raise Refused  # onnxruntime pads as if the windows were dense
    dilations, pads = options.get("dilations") or [1] * spatial, options.get("pads") or [0] * 2 * spatial
    if any((k - 1) * d + 1 > n + a for k, d, n, a in zip(kernel, dilations, value.shape[2:], pads)):
        raise Refused  # a quotient that is negative is rounded up there
    op = g.choose(["MaxPool", "MaxPool", "AveragePool", "LpPool"])
    if op == "AveragePool":
        options["count_include_pad"] = g.integer(0, 1)
        options.pop("dilations", 0) if g.opset < 19 else None
    if op == "LpPool":
        options.pop("ceil_mode", 0), options.pop("dilations", 0)
    if op == "MaxPool" and g.chance(0.2):
        return g.node(op, x, outputs=2, kernel_shape=kernel, **options, exact=True)
    g.node(op, x, kernel_shape=kernel, **options, exact=op == "MaxPool")


def norm(g):
    x = g.floats(at_least=2, dtype=np.float32)
    shape = g.values[x].shape
    g.fixed.add(x)
    per = [g.constant(g.data(np.float32, (shape[1],))) for _ in range(3)]
    op = g.choose(
        [
            "BatchNormalization",
            "InstanceNormalization",
            "LayerNormalization",
            "GroupNormalization",
            "LpNormalization",
            "LRN",
            "MeanVarianceNormalization",
            "RMSNormalization",
        ]
    )
    if op == "BatchNormalization":
        variance = g.constant(np.abs(g.data(np.float32, (shape[1],))) + np.float32(0.5))
        return g.node(op, x, *per, variance)
    if op == "InstanceNormalization":
        return g.node(op, x, *per[:2], epsilon=0.01)
    if op in ("LayerNormalization", "RMSNormalization"):
        axis = g.axis(x)
        scale = g.constant(g.data(np.float32, shape[axis:] if axis < 0 else shape[axis % len(shape) :]))
        bias = [g.constant(g.data(np.float32, g.values[scale].shape))] if op[0] == "L" and g.chance(0.6) else []
        return g.node(op, x, scale, *bias, axis=axis, epsilon=0.01)
    if op == "GroupNormalization":
        groups = g.choose([d for d in range(1, max(1, shape[1]) + 1) if shape[1] % d == 0])
        size = shape[1] if g.opset >= 21 else groups
        return g.node(
            op,
            x,
            g.constant(g.data(np.float32, (size,))),
            g.constant(g.data(np.float32, (size,))),
            num_groups=groups,
            epsilon=0.01,
        )
    if op == "LpNormalization":
        return g.node(op, x, axis=g.axis(x), p=g.integer(1, 2))
    if op == "LRN":
        return g.node(op, x, size=g.choose([1, 3, 5]))
    g.node(op, x, axes=[0] + list(range(2, len(shape))))


def resize(g):
    x, value, spatial = image(g)
    mode = g.choose(["nearest", "linear", "cubic"]) if spatial == 2 else g.choose(["nearest", "linear"])
    if g.opset < 11:
        scales = g.constant([1.0, 1.0] + [2.0] * spatial, np.float32)
        return g.node("Upsample" if g.opset < 10 else "Resize", x, scales, mode="nearest" if mode == "cubic" else mode)
    options = {
        "mode": mode,
        "coordinate_transformation_mode": g.choose(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]),
    }
    if mode == "nearest":
        options["nearest_mode"] = g.choose(["round_prefer_floor", "floor", "ceil", "round_prefer_ceil"])
    if mode == "cubic":
        options["cubic_coeff_a"], options["exclude_outside"] = g.choose([None, -0.5]), g.choose([None, 0, 1])
    roi = "" if g.opset >= 13 else g.constant([], np.float32)
    if g.chance(0.5):
        scales = [1.0, 1.0] + [g.choose([0.5, 1.0, 1.5, 2.0, 3.0]) for _ in range(spatial)]
        if "align" in options["coordinate_transformation_mode"] and any(n * s % 1 for n, s in zip(value.shape, scales)):
            raise Refused  # onnxruntime aligns corners of the rounded size, ONNX' tests those of the fraction
        scales = g.constant(scales, np.float32)
        return g.node("Resize", x, roi, scales, **options)
    sizes = g.integers(*value.shape[:2], *[g.integer(1, 9) for _ in range(spatial)])
    g.node("Resize", x, roi, "" if g.opset >= 13 else g.constant([], np.float32), sizes, **options)


def recurrent(g):
    x = g.floats(rank=3, dtype=np.float32)
    size, hidden = g.values[x].shape[2], g.integer(1, 3)
    op, gates = g.choose([("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    direction, count = g.choose([("forward", 1), ("reverse", 1), ("bidirectional", 2)])
    w, r = (g.constant(g.data(np.float32, (count, gates * hidden, n)) / 8) for n in (size, hidden))
    b = g.constant(g.data(np.float32, (count, 2 * gates * hidden)) / 8) if g.chance(0.6) else ""
    extra = {"linear_before_reset": g.integer(0, 1)} if op == "GRU" else {}
    g.node(op, x, w, r, b, outputs=3 if op == "LSTM" else 2, hidden_size=hidden, direction=direction, **extra)


RECIPES = [
    (reduce, 4),
    (soft, 2),
    (cumulative, 1),
    (matmul, 3),
    (gemm, 1),
    (einsum, 1),
    (convolution, 2),
    (pool, 2),
    (norm, 2),
    (resize, 2),
    (recurrent, 0.5),
]

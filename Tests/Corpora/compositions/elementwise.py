"""Operators element by element, casts, and quantisation."""

import numpy as np
from onnx import helper

from .graph import INTEGERS, Refused

UNARY = (
    "Exp Log Sqrt Sigmoid Tanh Erf Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Reciprocal Softplus Softsign"
).split()
EXACT_UNARY = "Abs Neg Floor Ceil Round Sign Relu Identity".split()
BINARY = ["Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "PRelu"]


def unary(g):
    if g.chance(0.5):
        g.node(g.choose(EXACT_UNARY), g.any(), exact=True)
    else:
        g.node(g.choose(UNARY), g.floats())


def activation(g):
    x, alpha = g.floats(), g.choose([None, 0.1, 0.5, 2.0])
    op = g.choose(
        [
            "Elu",
            "LeakyRelu",
            "Selu",
            "HardSigmoid",
            "Celu",
            "ThresholdedRelu",
            "HardSwish",
            "Mish",
            "Gelu",
            "Shrink",
            "Swish",
        ]
    )
    if op == "Shrink":
        g.node(op, x, lambd=0.75, bias=g.choose([0.0, 0.25]), exact=True)
    elif op in ("HardSwish", "Mish"):
        g.node(op, x)
    elif op == "Gelu":
        g.node(op, x, approximate=g.choose(["none", "tanh"]))
    else:
        g.node(op, x, alpha=alpha)


def partner(g, name):
    """A second operand of the same type, of a shape that broadcasts with the first."""
    value = g.values[name]

    def wanted(other):
        if other.dtype != value.dtype:
            return False
        try:
            np.broadcast_shapes(other.shape, value.shape)
            return True
        except ValueError:
            return False

    def fresh():
        shape = [1 if g.chance(0.3) else extent for extent in value.shape][g.integer(0, value.ndim) :]
        if g.chance(0.1):
            shape = [g.integer(1, 3)] + [1] * (value.ndim - len(shape)) + shape
        return g.data(value.dtype, shape)

    return g.pick(wanted, fresh)


def binary(g):
    x = g.any()
    op = g.choose(BINARY)
    pair = [x, partner(g, x)]
    if op == "PRelu" and np.broadcast_shapes(*(g.values[n].shape for n in pair)) != g.values[x].shape:
        raise Refused
    if op == "Pow" and (g.values[pair[1]] < 0).any():
        raise Refused
    if g.chance(0.3) and op not in ("PRelu", "Pow"):
        pair.reverse()
    g.node(op, *pair, exact=op in ("Add", "Sub", "Max", "Min"))


def variadic(g):
    x = g.floats()
    op = g.choose(["Max", "Min", "Sum", "Mean"])
    g.node(op, x, *[partner(g, x) for _ in range(g.integer(0, 2))], exact=op in ("Max", "Min"))


def compare(g):
    x = g.any()
    g.node(g.choose(["Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"]), x, partner(g, x))


def logic(g):
    x = g.of([np.dtype(bool)])
    g.node("Not", x) if g.chance(0.3) else g.node(g.choose(["And", "Or", "Xor"]), x, partner(g, x))


def bits(g):
    x = g.of([np.dtype(kind) for kind in INTEGERS])
    if g.chance(0.2):
        g.node("BitwiseNot", x)
    elif g.chance(0.3):
        g.node("BitShift", x, partner(g, x), direction=g.choose(["LEFT", "RIGHT"]))
    else:
        g.node(g.choose(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]), x, partner(g, x))


def modulo(g):
    x = g.any()
    y = partner(g, x)
    if (g.values[y] == 0).any():
        y = g.node(
            "Where",
            g.node("Equal", y, g.constant(0, g.values[y].dtype)),
            g.constant(3, g.values[y].dtype),
            y,
            exact=True,
        )
    fmod = 1 if g.values[x].dtype.kind == "f" else g.integer(0, 1)
    g.node("Mod" if g.chance(0.7) else "Div", x, y, **({"fmod": fmod} if g.chance(0.7) else {}), exact=False)


def where(g):
    x = g.any()
    g.node("Where", g.of([np.dtype(bool)]), x, partner(g, x), exact=True)


def clip(g):
    x = g.any()
    kind = g.values[x].dtype
    low, high = (g.constant(number, kind) if g.chance(0.7) else "" for number in (g.integer(0, 1), g.integer(2, 4)))
    if g.opset < 11:
        g.node("Clip", x, min=-1.0, max=2.5, exact=True)
    else:
        g.node("Clip", x, low, high, exact=True)


def cast(g):
    x = g.any()
    kind = g.choose(
        [
            "FLOAT",
            "FLOAT16",
            "DOUBLE",
            "BFLOAT16",
            "INT64",
            "INT32",
            "INT16",
            "INT8",
            "UINT8",
            "UINT16",
            "UINT32",
            "UINT64",
            "BOOL",
        ]
    )
    target = getattr(helper.onnx.TensorProto, kind)
    value = g.values[x]
    if value.dtype.kind == "f" and kind not in ("FLOAT", "FLOAT16", "DOUBLE", "BFLOAT16", "BOOL"):
        info = np.iinfo(helper.tensor_dtype_to_np_dtype(target))
        if (
            not np.isfinite(value).all()
            or (value.astype(float) < info.min).any()
            or (value.astype(float) > info.max).any()
        ):
            raise Refused
    if kind == "BFLOAT16":
        g.node("Cast", g.node("Cast", x, to=target, exact=True), to=helper.onnx.TensorProto.FLOAT, exact=True)
    elif g.chance(0.15) and g.opset >= 15:
        g.node("CastLike", x, g.any(), exact=True)
    else:
        g.node("Cast", x, to=target, exact=True)


def tests(g):
    x = g.floats()
    g.node("IsNaN", x) if g.chance(0.5) else g.node("IsInf", x, detect_negative=g.integer(0, 1))


def quantised(g):
    """Quantised and back, by one scale or one a channel."""
    x = g.floats(at_least=1, dtype=np.float32)
    value = g.values[x]
    kind = g.choose([np.uint8, np.int8])
    if g.chance(0.5) and g.opset >= 13:
        axis = g.axis(x)
        count = value.shape[axis]
        scale, zero = g.rng.choice([0.125, 0.25, 0.5], count).astype(np.float32), g.data(kind, (count,))
    else:
        axis, scale, zero = None, np.float32(g.choose([0.1, 0.25, 0.05])), g.data(kind, ())
    parameters = [g.constant(scale), g.constant(zero)]
    q = g.node("QuantizeLinear", x, *parameters, axis=axis, exact=True)
    if g.chance(0.3):
        q = g.node(g.choose(["Identity", "Neg"]) if kind == np.int8 else "Identity", q, exact=True)
    g.node("DequantizeLinear", q, *parameters, axis=axis)


def dynamic_quantised(g):
    q, scale, zero = g.node("DynamicQuantizeLinear", g.floats(at_least=1, dtype=np.float32), outputs=3)
    g.node("DequantizeLinear", q, scale, zero)


RECIPES = [
    (unary, 4),
    (activation, 2),
    (binary, 5),
    (variadic, 1),
    (compare, 2),
    (logic, 1),
    (bits, 1),
    (modulo, 1),
    (where, 2),
    (clip, 1),
    (cast, 3),
    (tests, 0.5),
    (quantised, 1),
    (dynamic_quantised, 0.3),
]

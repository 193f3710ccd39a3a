"""Elementwise operators and reductions."""

import math

import numpy as np
from coremltools.converters.mil.mil import Builder as mb

from programs import TARGETS, case, ints, iOS15, iOS16, iOS17, rand, random


def target(index):
    return TARGETS[index % 4]


def shape(rank):
    return tuple(random.randint(1, 5, rank))


UNARY = {
    "abs": {}, "acos": {}, "asin": {}, "atan": {}, "atanh": {}, "ceil": {}, "clip": dict(alpha=-0.3, beta=0.4), "cos": {},
    "cosh": {}, "erf": {}, "exp": {}, "exp2": {}, "floor": {}, "inverse": dict(epsilon=0.05), "log": dict(epsilon=0.1),
    "round": {}, "rsqrt": dict(epsilon=0.2), "sign": {}, "sin": {}, "sinh": {}, "sqrt": {}, "square": {}, "tan": {},
    "tanh": {}, "threshold": dict(alpha=0.2), "clamped_relu": dict(alpha=0.3, beta=0.5), "elu": dict(alpha=0.7),
    "leaky_relu": dict(alpha=0.2), "linear_activation": dict(alpha=1.5, beta=-0.25), "relu": {}, "relu6": {},
    "scaled_tanh": dict(alpha=0.8, beta=1.4), "sigmoid": {}, "sigmoid_hard": dict(alpha=0.3, beta=0.4), "silu": {},
    "softplus": {}, "softsign": {}, "thresholded_relu": dict(alpha=0.1), "gelu": dict(mode="EXACT"), "identity": {},
}
POSITIVE = {"log", "rsqrt", "sqrt", "inverse"}
OWN = {
    "gelu": lambda x: 0.5 * x * (1 + np.vectorize(math.erf)(x / 2 ** 0.5)),
    "erf": lambda x: np.vectorize(math.erf)(x),
    "softsign": lambda x: x / (1 + np.abs(x)), "silu": lambda x: x / (1 + np.exp(-x)),
    "scaled_tanh": lambda x: 0.8 * np.tanh(1.4 * x), "sigmoid_hard": lambda x: np.clip(0.3 * x + 0.4, 0, 1),
    "clamped_relu": lambda x: np.minimum(np.where(x >= 0, x, 0.3 * x), 0.5),
    "thresholded_relu": lambda x: np.where(x >= 0.1, x, 0), "relu6": lambda x: np.clip(x, 0, 6),
    "linear_activation": lambda x: 1.5 * x - 0.25, "identity": lambda x: x,
}
for index, (name, options) in enumerate(UNARY.items()):
    x = rand(*shape(3), low=0.1 if name in POSITIVE else -0.9, high=0.9)
    case(f"unary_{name}", [x], lambda x: getattr(mb, name)(x=x, **options), OWN.get(name), target(index))
x = rand(2, 3, 4)
case("unary_gelu_tanh", [x], lambda x: mb.gelu(x=x, mode="TANH_APPROXIMATION"), lambda x: (
    0.5 * x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x ** 3)))), iOS16)
case("unary_logical_not", [x], lambda x: mb.logical_not(x=mb.greater(x=x, y=0.0)), lambda x: ~(x > 0), iOS15)
case("prelu", [rand(2, 3, 4, 2)], lambda x: mb.prelu(x=x, alpha=np.array([0.1, 0.2, 0.3], np.float32)), None, iOS15)
case("softplus_parametric", [x], lambda x: mb.softplus_parametric(
    x=x, alpha=np.array([0.1, 0.2, 0.3], np.float32), beta=np.array([1, 2, 0.5], np.float32)), lambda x: (
    np.array([0.1, 0.2, 0.3])[:, None] * np.log1p(np.exp(np.array([1, 2, 0.5])[:, None] * x))), iOS17)
case("softmax", [x], lambda x: mb.softmax(x=x, axis=1), None, iOS15)
for name in ["int32", "bool", "fp16", "fp32"]:
    case(f"cast_{name}", [rand(3, 4, low=-4, high=4)], lambda x: mb.cast(x=x, dtype=name), None, iOS15)
for name in ["int8", "uint8", "int16", "uint16"]:
    case(f"cast_{name}", [rand(3, 4, low=0, high=9)], lambda x: mb.cast(x=x, dtype=name), lambda x: x.astype(np.int32), iOS17)

BINARY = ["add", "sub", "mul", "real_div", "maximum", "minimum", "equal", "not_equal", "greater", "greater_equal", "less",
          "less_equal", "floor_div", "mod", "pow"]
for index, name in enumerate(BINARY):
    x, y = (np.round(rand(*s, low=0.5, high=4) * 2) / 2 for s in [(2, 3, 4), (3, 1)])
    case(f"binary_{name}", [x, y], lambda x, y: getattr(mb, name)(x=x, y=y), None, target(index))
    if name != "pow":
        case(f"binary_{name}_int", [ints(-9, 9, 2, 3), ints(1, 5, 3)], lambda x, y: getattr(mb, name)(x=x, y=y), (
            (lambda x, y: np.trunc(x / y).astype(np.int32)) if name == "real_div" else None), target(index + 1))
for name in ["logical_and", "logical_or", "logical_xor"]:
    case(name, [rand(2, 3), rand(2, 3)], lambda x, y: getattr(mb, name)(
        x=mb.greater(x=x, y=0.0), y=mb.greater(x=y, y=0.0)), lambda x, y: getattr(np, name)(x > 0, y > 0), iOS15)

REDUCTIONS = ["l1_norm", "l2_norm", "log_sum", "log_sum_exp", "max", "mean", "min", "prod", "sum", "sum_square"]
for index, name in enumerate(REDUCTIONS):
    axes = [[1], [0, 2], [-1], [0, 1, 2]][index % 4]
    x = rand(3, 4, 2, low=0.2, high=1.5)
    case(f"reduce_{name}", [x], lambda x: getattr(mb, f"reduce_{name}")(x=x, axes=axes, keep_dims=index % 2 == 0), None,
         target(index))
    case(f"reduce_{name}_all", [x], lambda x: getattr(mb, f"reduce_{name}")(x=x, keep_dims=True), None, target(index + 2))
for name in ["argmax", "argmin"]:
    case(f"reduce_{name}", [rand(3, 4, 2)], lambda x: getattr(mb, f"reduce_{name}")(x=x, axis=1, keep_dims=True), None)
    case(f"reduce_{name}_ios17", [rand(3, 4, 2)], lambda x: getattr(mb, f"reduce_{name}")(
        x=x, axis=-1, output_dtype="uint16"), lambda x: getattr(np, name)(x, -1), iOS17)

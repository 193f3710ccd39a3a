"""Functions of elements, activations among them, and what broadcasts."""
import math

import torch
import torch.nn.functional as F

from gradient_cases import case, integer, pick, reals, shape, variable

UNARY = {
    "Abs": (torch.abs, -2, 2), "Acos": (torch.acos, -0.9, 0.9), "Acosh": (torch.acosh, 1.1, 3),
    "Asin": (torch.asin, -0.9, 0.9), "Asinh": (torch.asinh, -2, 2), "Atan": (torch.atan, -3, 3),
    "Atanh": (torch.atanh, -0.9, 0.9), "Cos": (torch.cos, -3, 3), "Cosh": (torch.cosh, -2, 2),
    "Erf": (torch.erf, -2, 2), "Exp": (torch.exp, -3, 3), "Log": (torch.log, 0.1, 3), "Neg": (torch.neg, -2, 2),
    "Reciprocal": (torch.reciprocal, 0.3, 3), "Sigmoid": (torch.sigmoid, -4, 4), "Sin": (torch.sin, -3, 3),
    "Sinh": (torch.sinh, -2, 2), "Sqrt": (torch.sqrt, 0.1, 3), "Tan": (torch.tan, -1, 1),
    "Tanh": (torch.tanh, -3, 3), "Relu": (F.relu, -2, 2), "Softplus": (F.softplus, -4, 4),
    "Softsign": (F.softsign, -3, 3), "HardSwish": (F.hardswish, -5, 5), "Mish": (F.mish, -3, 3),
    "Selu": (F.selu, -3, 3), "Floor": (torch.floor, -3, 3), "Sign": (torch.sign, -2, 2),
    "Identity": (lambda x: x * 1, -2, 2),
}
for op, (answer, low, high) in UNARY.items():
    for _ in range(2):
        case(op, op, answer, [variable(shape(), low, high)])

for _ in range(3):
    alpha = 0.1 + 0.1 * integer(0, 12)
    case("Elu", "Elu", lambda x: F.elu(x, alpha), [variable(shape(), -3, 3)], alpha=alpha)
    case("Celu", "Celu", lambda x: F.celu(x, alpha), [variable(shape(), -3, 3)], alpha=alpha)
    case("LeakyRelu", "LeakyRelu", lambda x: F.leaky_relu(x, alpha), [variable(shape())], alpha=alpha)
    case("ThresholdedRelu", "ThresholdedRelu", lambda x: F.threshold(x, alpha, 0.0), [variable(shape())], alpha=alpha)
    beta = 0.25 + 0.05 * integer(0, 8)
    case("HardSigmoid", "HardSigmoid", lambda x: torch.clip(0.2 * x + beta, 0, 1), [variable(shape(), -4, 4)],
         alpha=0.2, beta=beta)
    approximate = pick("none", "tanh")
    case("Gelu", "Gelu", lambda x: F.gelu(x, approximate=approximate), [variable(shape(), -3, 3)],
         approximate=approximate)
    case("Clip", "Clip", lambda x, low, high: torch.clip(x, low, high),
         [variable(shape()), reals([], -1, -0.5), reals([], 0.5, 1)])
    extents = shape(2, 4)
    slopes = [extents[1]] + [1] * (len(extents) - 2)
    case("PRelu", "PRelu", lambda x, slope: torch.where(x < 0, x * slope, x), [variable(extents), variable(slopes)])


def broadcast(count):
    """Extents that broadcast to each other."""
    whole = shape(1, 4)
    found = []
    for _ in range(count):
        start = integer(0, len(whole) - 1)
        found.append([1 if integer(0, 2) == 0 else extent for extent in whole[start:]])
    return found


BINARY = {
    "Add": (torch.add, -2, 2), "Sub": (torch.sub, -2, 2), "Mul": (torch.mul, -2, 2), "Div": (torch.div, 0.3, 3),
    "Pow": (torch.pow, 0.2, 2), "Max": (torch.maximum, -2, 2), "Min": (torch.minimum, -2, 2),
}
for op, (answer, low, high) in BINARY.items():
    for _ in range(4):
        case(op, op, answer, [variable(extents, low, high) for extents in broadcast(2)])
for _ in range(3):
    three = broadcast(3)
    case("Sum", "Sum", lambda a, b, c: a + b + c, [variable(extents) for extents in three])
    case("Mean", "Mean", lambda a, b, c: (a + b + c) / 3, [variable(extents) for extents in three])
    condition = reals(three[0]) > 0
    case("Where", "Where", torch.where, [condition, variable(three[1]), variable(three[2])])
assert math.isclose(F.hardswish(torch.tensor(1.0)).item(), 2 / 3, rel_tol=1e-6)

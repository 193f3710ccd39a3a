"""Operators of MIL that no single node of ONNX becomes."""
import torch
import torch.nn.functional as F

from gradient_cases import integer, mil_case, random, shape, variable


def banded(lower, upper):
    """`x` in a band of its last two axes; a bound below 0 is none."""
    def answer(x):
        rows, columns = torch.arange(x.shape[-2])[:, None], torch.arange(x.shape[-1])
        inside = ((lower < 0) | (rows - columns <= lower)) & ((upper < 0) | (columns - rows <= upper))
        return torch.where(inside, x, 0)

    return answer


for op, answer in {"exp2": torch.exp2, "relu6": F.relu6, "square": torch.square}.items():
    for _ in range(4):
        low, high = (-4, 8) if op == "relu6" else (-2, 2)
        mil_case(op, answer, x=variable(shape(), low, high))

for number in range(6):
    lower, upper = integer(-1, 2), integer(-1, 2)
    mil_case("band_part", banded(lower, upper), f"lower = {lower}, upper = {upper}", x=variable(shape(2)))

for number in range(6):
    depth, width = integer(1, 6), integer(1, 6)
    extents = [*shape(1, 3), depth] if number else [depth]
    bias = {"bias": variable([width])} if number % 2 else {}
    mil_case("linear", F.linear, x=variable(extents), weight=variable([width, depth]), **bias)

for _ in range(3):
    block = integer(1, 3)
    extents = [integer(1, 3), integer(1, 3), block * integer(1, 3), block * integer(1, 3)]
    mil_case("pixel_unshuffle", lambda x: F.pixel_unshuffle(x, block), f"downscale_factor = {block}",
             x=variable(extents))

for number in range(5):
    extents = shape()
    axes = sorted(random.choice(len(extents), integer(1, len(extents)), replace=False).tolist())
    mil_case("reverse", lambda x: torch.flip(x, axes), f"axes = [{', '.join(map(str, axes))}]", x=variable(extents))

"""Pools in all their forms, with places, dilations and last windows, and what undoes them."""
import numpy as np
import torch
import torch.nn.functional as F

from gradient_cases import case, integer, pick, random, variable
from windows import CONV, MAX

UNPOOL = {1: F.max_unpool1d, 2: F.max_unpool2d, 3: F.max_unpool3d}
for number in range(9):
    axes = 1 + number % 3
    kernel = [integer(1, 3) for _ in range(axes)]
    strides, dilations = [integer(1, 3) for _ in range(axes)], [integer(1, 2) for _ in range(axes)]
    pads = [integer(0, k // 2) for k in kernel]
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    extents = [integer(1, 2), integer(1, 3), *[integer(r, r + (4 if axes < 3 else 2)) for r in reach]]
    x, ceil = variable(extents), integer(0, 1)
    case(f"MaxPool{axes}.indices", "MaxPool", lambda x: MAX[axes](x, kernel, strides, pads, dilations, bool(ceil)), [x],
         unseen=1, kernel_shape=kernel, strides=strides, pads=pads + pads, dilations=dilations, ceil_mode=ceil,
         storage_order=integer(0, 1))
    form = [(e - 1) * s + k for e, s, k in zip(extents[2:], strides, kernel)]
    # Each element has a place of its own.
    size, planes = int(np.prod(form)), extents[0] * extents[1]
    each = int(np.prod(extents[2:]))
    chosen = np.stack([random.permutation(size)[:each] + size * plane for plane in range(planes)]).reshape(extents)
    case(f"MaxUnpool{axes}", "MaxUnpool",
         lambda x, i: UNPOOL[axes](x, i % size, kernel, strides, output_size=form), [x, chosen], kernel_shape=kernel,
         strides=strides)
    p = pick(1, 2, 3)
    around = [pad for pad in pads[::-1] for _ in range(2)]

    def powers(x):
        """Sums over windows by a convolution of each channel."""
        ones = torch.ones(extents[1], 1, *kernel, dtype=x.dtype)
        return CONV[axes](F.pad(x.abs() ** p, around), ones, None, strides, 0, dilations, extents[1]) ** (1 / p)

    positive = variable(extents, 0.3, 2)
    case("LpPool", "LpPool", powers, [positive], kernel_shape=kernel, strides=strides, pads=pads + pads,
         dilations=dilations, p=p)
    case("GlobalLpPool", "GlobalLpPool",
         lambda x: torch.linalg.vector_norm(x, p, list(range(2, 2 + axes)), keepdim=True), [positive], opset=21,
         p=p)
    counts = CONV[axes](F.pad(torch.ones(1, 1, *extents[2:]), around), torch.ones(1, 1, *kernel), None, strides, 0,
                        dilations)

    def means(x):
        """Sums over windows by the number of elements in them that are no padding."""
        weight = torch.ones(extents[1], 1, *kernel, dtype=x.dtype)
        return CONV[axes](F.pad(x, around), weight, None, strides, 0, dilations, extents[1]) / counts.to(x.dtype)

    if counts.min() > 0:
        case("AveragePool.dilated", "AveragePool", means, [x], kernel_shape=kernel, strides=strides, pads=pads + pads,
             dilations=dilations)

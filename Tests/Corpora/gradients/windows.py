"""Products, convolutions, pools, borders, resizing."""
import numpy as np
import torch
import torch.nn.functional as F

from gradient_cases import case, integer, pick, reals, shape, variable

for _ in range(6):
    rows, inner, columns = integer(1, 5), integer(1, 6), integer(1, 5)
    batch = shape(1, 2, 3)
    left = pick([], batch, [1] * len(batch))
    right = pick([], batch, [1] * len(batch))
    case("MatMul", "MatMul", torch.matmul, [variable([*left, rows, inner]), variable([*right, inner, columns])])
    a, b = integer(0, 1), integer(0, 1)
    alpha, beta = pick(1.0, 0.5), pick(1.0, 2.0)
    case("Gemm", "Gemm",
         lambda x, w, c: alpha * (x.T if a else x) @ (w.T if b else w) + beta * c,
         [variable([inner, rows] if a else [rows, inner]), variable([columns, inner] if b else [inner, columns]),
          variable(pick([], [columns], [1, columns], [rows, 1], [rows, columns]))],
         transA=a, transB=b, alpha=alpha, beta=beta)
for equation, forms in {"ij,jk->ik": [[3, 4], [4, 2]], "bhqd,bhkd->bhqk": [[2, 2, 3, 4], [2, 2, 5, 4]],
                        "bij,bj->bi": [[2, 3, 4], [2, 4]], "ijk->kji": [[2, 3, 4]], "ij,ij->": [[3, 4], [3, 4]]}.items():
    case("Einsum", "Einsum", lambda *terms: torch.einsum(equation, *terms), [variable(form) for form in forms],
         equation=equation)

CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}
for number in range(24):
    axes = 1 + number % 3
    groups = pick(1, 1, 2, 3)
    inner, outer = groups * integer(1, 2), groups * integer(1, 2)
    kernel = [integer(1, 3) for _ in range(axes)]
    strides = [integer(1, 3) for _ in range(axes)]
    dilations = [integer(1, 2) for _ in range(axes)]
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    room = 4 if axes < 3 else 2
    extents = [integer(r, r + room) for r in reach]
    pads = [integer(0, r - 1) for r in reach], [integer(0, r - 1) for r in reach]
    around = [pad for pair in list(zip(*pads))[::-1] for pad in pair]
    bias = [variable([outer])] if integer(0, 1) else []
    case(f"Conv{axes}", "Conv",
         lambda x, w, b=None: CONV[axes](F.pad(x, around), w, b, strides, 0, dilations, groups),
         [variable([integer(1, 2), inner, *extents]), variable([outer, inner // groups, *kernel]), *bias],
         strides=strides, dilations=dilations, pads=pads[0] + pads[1], group=groups)
    added = [integer(0, max(s, d) - 1) for s, d in zip(strides, dilations)]
    small = [integer(1, room) for _ in range(axes)]
    even = [min(low, high, (e - 1) * s // 2) for low, high, e, s in zip(*pads, small, strides)]
    case(f"ConvTranspose{axes}", "ConvTranspose",
         lambda x, w, b=None: TRANSPOSED[axes](x, w, b, strides, even, added, groups, dilations),
         [variable([integer(1, 2), inner, *small]), variable([inner, outer // groups, *kernel]), *bias],
         strides=strides, dilations=dilations, pads=even + even, output_padding=added, group=groups)

MAX = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
MEAN = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}
for number in range(12):
    axes = 1 + number % 3
    kernel = [integer(1, 3) for _ in range(axes)]
    strides = [integer(1, 3) for _ in range(axes)]
    pads = [integer(0, k // 2) for k in kernel]
    x = variable([integer(1, 2), integer(1, 3), *[integer(k, k + (4 if axes < 3 else 2)) for k in kernel]])
    case(f"MaxPool{axes}", "MaxPool", lambda x: MAX[axes](x, kernel, strides, pads), [x], kernel_shape=kernel,
         strides=strides, pads=pads + pads)
    counted = integer(0, 1)
    case(f"AveragePool{axes}", "AveragePool",
         lambda x: MEAN[axes](x, kernel, strides, pads, count_include_pad=bool(counted)), [x], kernel_shape=kernel,
         strides=strides, pads=pads + pads, count_include_pad=counted)
    spatial = tuple(range(2, 2 + axes))
    case("GlobalAveragePool", "GlobalAveragePool", lambda x: x.mean(spatial, keepdim=True), [x])
    case("GlobalMaxPool", "GlobalMaxPool", lambda x: x.amax(spatial, keepdim=True), [x])

for mode, name in {"constant": "constant", "reflect": "reflect", "edge": "replicate"}.items():
    for _ in range(3):
        extents = [integer(1, 2), integer(1, 3), integer(3, 5), integer(3, 5)]
        top, left, bottom, right = (integer(0, 2) for _ in range(4))
        fill = [reals([])] if mode == "constant" else []
        case(f"Pad.{mode}", "Pad",
             lambda x, _, value=None: F.pad(x, [left, right, top, bottom], name, *([] if value is None else [value])),
             [variable(extents), np.array([0, 0, top, left, 0, 0, bottom, right]), *fill], mode=mode)

for _ in range(3):
    extents = [integer(1, 2), integer(1, 3), integer(2, 5), integer(2, 5)]
    sizes = [integer(2, 9), integer(2, 9)]
    target = np.array(extents[:2] + sizes)
    x = variable(extents)
    case("Resize.nearest", "Resize", lambda x, *_: F.interpolate(x, size=sizes), [x, None, None, target],
         mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    for form, aligned in {"half_pixel": False, "align_corners": True}.items():
        for mode, name in {"linear": "bilinear", "cubic": "bicubic"}.items():
            case(f"Resize.{mode}.{form}", "Resize",
                 lambda x, *_: F.interpolate(x, size=sizes, mode=name, align_corners=aligned),
                 [x, None, None, target], mode=mode, coordinate_transformation_mode=form)

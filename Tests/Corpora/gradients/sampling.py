"""What looks between elements, adds up pieces, or cuts and borders."""
import numpy as np
import torch
import torch.nn.functional as F

from gradient_cases import case, integer, pick, reals, variable

for number in range(12):
    axes = 2 + number % 2
    mode = pick("bilinear", "nearest") if axes == 3 else ("bilinear", "nearest", "bicubic")[number // 2 % 3]
    padding = ("zeros", "border", "reflection")[number // 4]
    aligned = integer(0, 1)
    batch = integer(1, 2)
    extents = [batch, integer(1, 3)] + [integer(3, 5) for _ in range(axes)]
    grid = [batch] + [integer(1, 3) for _ in range(axes)] + [axes]
    reach = 1.3 if mode != "bicubic" or padding == "zeros" else 0.3
    case(f"GridSample.{mode}", "GridSample",
         lambda x, grid: F.grid_sample(x, grid, mode, padding, bool(aligned)),
         [variable(extents), variable(grid, -reach, reach)],
         mode={"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode), padding_mode=padding, align_corners=aligned)
    sizes = [batch, integer(1, 3)] + [integer(2, 4) for _ in range(axes)]
    case("AffineGrid", "AffineGrid", lambda theta, _: F.affine_grid(theta, sizes, bool(aligned)),
         [variable([batch, axes, axes + 1]), np.array(sizes)], align_corners=aligned)


def deformed(x, weight, offset, bias, mask, stride, pad, dilation, groups, shared):
    """Each point of each window is looked up by a grid of its own."""
    batch, _, height, width = x.shape
    (kh, kw), (oh, ow) = weight.shape[2:], offset.shape[2:]
    moves = offset.view(batch, shared, kh * kw, 2, oh, ow)
    scales = mask.view(batch, shared, 1, kh * kw, oh, ow)
    size = torch.tensor([height, width])
    columns = []
    for point in range(kh * kw):
        start = torch.tensor([point // kw * dilation - pad, point % kw * dilation - pad])
        base = torch.stack(torch.meshgrid(torch.arange(oh), torch.arange(ow), indexing="ij")) * stride
        place = moves[:, :, point] + base + start[:, None, None]
        grid = ((2 * place + 1) / size[:, None, None] - 1).flip(2).movedim(2, -1).flatten(0, 1)
        parts = x.view(batch * shared, -1, height, width)
        seen = F.grid_sample(parts, grid, align_corners=False).view(batch, shared, -1, oh, ow)
        columns.append((seen * scales[:, :, :, point]).flatten(1, 2))
    values = torch.stack(columns, 2).view(batch, groups, -1, oh * ow)
    rows = weight.view(groups, weight.shape[0] // groups, -1)
    return (rows @ values).view(batch, -1, oh, ow) + bias[:, None, None]


for _ in range(4):
    groups, shared = integer(1, 2), integer(1, 2)
    batch, channels, outer = integer(1, 2), groups * shared, groups * integer(1, 2)
    kernel, (stride, pad, dilation) = [integer(1, 2), integer(2, 3)], (integer(1, 2), integer(0, 1), integer(1, 2))
    out = [integer(1, 2), integer(1, 2)]
    extents = [(o - 1) * stride + (k - 1) * dilation + 1 - 2 * pad for o, k in zip(out, kernel)]
    extents = [max(extent, 1) for extent in extents]
    out = [(e + 2 * pad - (k - 1) * dilation - 1) // stride + 1 for e, k in zip(extents, kernel)]
    points = kernel[0] * kernel[1] * shared
    case("DeformConv", "DeformConv",
         lambda x, w, o, b, m: deformed(x, w, o, b, m, stride, pad, dilation, groups, shared),
         [variable([batch, channels, *extents]), variable([outer, channels // groups, *kernel]),
          variable([batch, 2 * points, *out], -1.5, 1.5), variable([outer]), variable([batch, points, *out], 0, 1)],
         strides=[stride] * 2, pads=[pad] * 4, dilations=[dilation] * 2, group=groups, offset_group=shared)


def boxes_of(height, width, count):
    starts = [reals([count], 0, extent / 3) for extent in (width, height)]
    return np.stack([*starts, *(s + reals([count], 1, e / 2) for s, e in zip(starts, (width, height)))], 1)


def aligned_rois(x, rois, batch, bins, samples, scale, half):
    """The mean of `samples` looks a bin along each axis, looked up by grids."""
    size = torch.tensor([x.shape[3], x.shape[2]])
    corners = rois.view(-1, 2, 2) * scale - (0.5 if half else 0)
    span = corners[:, 1] - corners[:, 0]
    looks = [(torch.arange(count * samples) + 0.5) / (count * samples) for count in bins]
    lines = torch.stack(torch.meshgrid(*looks, indexing="ij")[::-1], -1)
    place = corners[:, 0, None, None] + lines * (span if half else span.clamp(min=1))[:, None, None]
    seen = F.grid_sample(x[batch], 2 * place / (size - 1) - 1, padding_mode="border", align_corners=True)
    return F.avg_pool2d(seen, samples)


for number in range(4):
    extents = [integer(1, 2), integer(1, 2), integer(6, 9), integer(6, 9)]
    count, bins, samples = integer(1, 3), [integer(1, 3), integer(1, 3)], integer(1, 2)
    batch = np.array([integer(0, extents[0] - 1) for _ in range(count)])
    half, scale = number % 2, pick(1.0, 0.75)
    case("RoiAlign", "RoiAlign", lambda x, rois, i: aligned_rois(x, rois, i, bins, samples, scale, half),
         [variable(extents), boxes_of(extents[2], extents[3], count), batch], opset=21, output_height=bins[0],
         output_width=bins[1], sampling_ratio=samples, spatial_scale=scale,
         coordinate_transformation_mode="half_pixel" if half else "output_half_pixel")

for _ in range(4):
    kernel, strides = [integer(1, 3), integer(1, 3)], [integer(1, 2), integer(1, 2)]
    dilations, pads = [integer(1, 2), integer(1, 2)], [integer(0, 1), integer(0, 1)]
    blocks = [integer(1, 3), integer(1, 3)]
    image = [(b - 1) * s + (k - 1) * d + 1 + integer(0, s - 1) - 2 * p
             for b, s, k, d, p in zip(blocks, strides, kernel, dilations, pads)]
    pads = [p if extent > 0 else 0 for p, extent in zip(pads, image)]
    image = [max(extent, extent + 2 * (p == 0 and extent <= 0)) for p, extent in zip(pads, image)]
    columns = [integer(1, 2), kernel[0] * kernel[1] * integer(1, 2), blocks[0] * blocks[1]]
    case("Col2Im", "Col2Im", lambda x, *_: F.fold(x, image, kernel, dilations, pads, strides),
         [variable(columns), np.array(image), np.array(kernel)], dilations=dilations, pads=pads + pads,
         strides=strides)
    extents = [integer(1, 2), integer(1, 3), integer(4, 7), integer(4, 7)]
    x, smaller = variable(extents), [integer(2, 3), integer(2, 3)]
    for mode, name in {"linear": "bilinear", "cubic": "bicubic"}.items():
        sizes = np.array(extents[:2] + smaller)
        words = {"cubic_coeff_a": -0.5} if mode == "cubic" else {}
        case(f"Resize.{mode}.antialias", "Resize",
             lambda x, *_: F.interpolate(x, size=smaller, mode=name, antialias=True),
             [x, None, None, sizes], antialias=1, exclude_outside=1, mode=mode, **words)
    line = [integer(1, 2), integer(1, 3), integer(2, 5)]
    case("Resize1.linear", "Resize", lambda x, *_: F.interpolate(x, scale_factor=2.5, mode="linear"),
         [variable(line), None, np.array([1, 1, 2.5], np.float32)], mode="linear")
    volume = [integer(1, 2), integer(1, 2), integer(2, 4), integer(2, 4), integer(2, 4)]
    form = [integer(1, 5), integer(1, 5), integer(1, 5)]
    case("Resize3.linear", "Resize", lambda x, *_: F.interpolate(x, size=form, mode="trilinear"),
         [variable(volume), None, None, np.array(volume[:2] + form)], mode="linear")
    case("Resize.nearest.half", "Resize", lambda x, *_: F.interpolate(x, size=smaller, mode="nearest-exact"),
         [x, None, None, np.array(extents[:2] + smaller)], mode="nearest", nearest_mode="round_prefer_ceil")
    case("Pad.wrap", "Pad", lambda x, _: F.pad(x, [1, 2, 2, 1], "circular"),
         [x, np.array([0, 0, 2, 1, 0, 0, 1, 2])], mode="wrap")
    low, high = integer(-2, 2), integer(-1, 2)
    case("Pad.negative", "Pad", lambda x, *_: F.pad(x, [low, high], value=0.5),
         [x, np.array([low, high]), np.array(0.5, np.float32), np.array([3])])
    wanted = [integer(1, 8), integer(1, 8)]

    def centred(x, _):
        borders = [(difference // 2, difference - difference // 2) if difference > 0 else
                   (-(-difference // 2), -(-difference - -difference // 2))
                   for difference in (w - e for w, e in zip(wanted, x.shape[2:]))]
        return F.pad(x, [*borders[1], *borders[0]])

    case("CenterCropPad", "CenterCropPad", centred, [x, np.array(wanted)], axes=[2, 3])

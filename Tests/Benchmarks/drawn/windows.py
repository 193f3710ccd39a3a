"""Windows over pictures, resampling, and columns of pictures."""
import numpy as np


def picture(draw, elements=2e6):
    size = draw.near(7, 13, 20, 28, 56, 80, 112, 160)
    other = draw.pick(size, size, draw.near(size))
    return draw.shape(elements, draw.pick(1, 1, 2), draw.near(3, 16, 32, 64, 96, 128, 256, 512), size, other)


def pool(draw, graph):
    shape = picture(draw)
    size, stride = draw.pick((2, 2), (3, 2), (3, 1), (5, 1), (9, 1), (13, 1), (4, 4), (3, 3), (2, 1), (7, 2))
    size = min(size, *shape[2:])
    operator = draw.pick("MaxPool", "MaxPool", "AveragePool", "LpPool")
    attributes = {"kernel_shape": [size] * 2, "strides": [stride] * 2, "pads": [draw.pick(0, size // 2)] * 4}
    if operator != "LpPool":
        attributes["ceil_mode"] = draw.pick(0, 0, 1)
    if operator == "AveragePool":
        attributes["count_include_pad"] = draw.pick(0, 1)
    return graph(operator, graph.input(draw.numbers(*shape)), **attributes)


def pool_other_ranks(draw, graph):
    operator, size = draw.pick("MaxPool", "AveragePool"), draw.pick(2, 3)
    rank = draw.pick(1, 3)
    sizes = [draw.near(200, 1000, 3000)] if rank == 1 else [draw.near(8, 16), *[draw.near(14, 28, 56)] * 2]
    shape = draw.shape(1e6, 1, draw.near(16, 64, 128), *sizes)
    attributes = {"kernel_shape": [size] * rank, "strides": [draw.pick(1, size)] * rank}
    return graph(operator, graph.input(draw.numbers(*shape)), **attributes)


def pool_global(draw, graph):
    return graph(draw.pick("GlobalAveragePool", "GlobalMaxPool"), graph.input(draw.numbers(*picture(draw))))


def resize(draw, graph):
    shape = draw.shape(4e5, *picture(draw))
    mode = draw.pick("nearest", "linear", "linear", "cubic")
    attributes = {"coordinate_transformation_mode": draw.pick("half_pixel", "asymmetric", "align_corners",
                                                              "pytorch_half_pixel")}
    if mode == "nearest":
        attributes["nearest_mode"] = draw.pick("floor", "round_prefer_floor", "ceil", "round_prefer_ceil")
    elif draw.chance(0.15):
        attributes["antialias"] = 1
    data = graph.input(draw.numbers(*shape))
    if draw.chance(0.5):
        factor = draw.pick(2.0, 2.0, 0.5, 1.5, 3.0, 4.0, 0.35)
        return graph("Resize", data, "", graph.constant([1, 1, factor, factor]), mode=mode, **attributes)
    sizes = [*shape[:2], *(max(2, int(size * draw.pick(0.5, 0.7, 1.3, 2, 2.6))) for size in shape[2:])]
    return graph("Resize", data, "", "", graph.sizes(sizes), mode=mode, **attributes)


def grid_sample(draw, graph):
    batch, channels, *sizes = draw.shape(1e6, *picture(draw))
    grid = draw.numbers(batch, *(draw.near(size) for size in sizes), 2, scale=0.5).clip(-1.2, 1.2)
    attributes = {"mode": draw.pick("linear", "linear", "nearest"), "align_corners": draw.pick(0, 1),
                  "padding_mode": draw.pick("zeros", "border", "reflection")}
    return graph("GridSample", graph.input(draw.numbers(batch, channels, *sizes)), graph.input(grid), **attributes)


def columns(draw, graph):
    """Col2Im, which torch's fold is."""
    size, stride = draw.pick((3, 1), (2, 2), (3, 2), (4, 2), (4, 4))
    height = draw.near(14, 28, 56) * stride + size
    blocks = ((height - size) // stride + 1) ** 2
    channels = max(1, min(draw.near(16, 32, 64), int(2e6 / blocks / size**2)))
    data = graph.input(draw.numbers(1, channels * size * size, blocks))
    return graph("Col2Im", data, graph.sizes([height] * 2), graph.sizes([size] * 2), strides=[stride] * 2)


def unfold(draw, graph):
    """Neighbourhoods of pixels as columns, as torch exports unfold."""
    channels, size, stride = draw.near(8, 16, 32, 64), draw.near(14, 28, 56), draw.pick(1, 2)
    count = (size - 1) // stride + 1
    places = np.arange(3)[:, None] + stride * np.arange(count)[None]
    value = graph("Pad", graph.input(draw.numbers(1, channels, size, size)), graph.sizes([0, 0, 1, 1, 0, 0, 1, 1]))
    value = graph("Gather", graph("Gather", value, graph.constant(places), axis=2), graph.constant(places), axis=4)
    value = graph("Transpose", value, perm=[0, 1, 2, 4, 3, 5])
    return graph("Reshape", value, graph.sizes([1, channels * 9, count * count]))


def regions(draw, graph):
    _, channels, height, width = draw.shape(4e5, 1, *picture(draw)[1:])
    count, size = draw.near(20, 100, 300), draw.pick(5, 7, 14)
    corners = np.abs(draw.numbers(count, 2, 2)) * min(height, width) * 4
    boxes = graph.input(np.sort(corners, axis=1).reshape(count, 4))
    data = graph.input(draw.numbers(1, channels, height, width))
    return graph(
        "RoiAlign", data, boxes, graph.input(np.zeros(count, np.int64)), output_height=size, output_width=size,
        sampling_ratio=draw.pick(1, 2), spatial_scale=1 / 8, mode="avg",
    )


FAMILIES = {
    "pool": pool,
    "pool-other-ranks": pool_other_ranks,
    "pool-global": pool_global,
    "resize": resize,
    "grid-sample": grid_sample,
    "columns": columns,
    "unfold": unfold,
    "regions": regions,
}

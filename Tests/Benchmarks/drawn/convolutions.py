"""Convolutions of every rank, group and stride, and transposed ones."""
import numpy as np

OPERATIONS = 4e8


def extents(draw, rank, channels, filters, window):
    """Spatial extents, halved until a convolution has at most `OPERATIONS` products."""
    sizes = {
        1: lambda: [draw.near(200, 500, 1500, 3000, 8000)],
        2: lambda: [draw.near(7, 14, 28, 56, 112, 160)] * 2,
        3: lambda: [draw.near(4, 8, 16), *[draw.near(14, 28, 56)] * 2],
    }[rank]()
    if rank > 1 and draw.chance(0.3):
        sizes[-1] = draw.near(sizes[-1])
    while channels * filters * np.prod(window) * np.prod(sizes) > OPERATIONS and max(sizes) > 4:
        sizes = [max(4, (size + 1) // 2) for size in sizes]
    return sizes


def activation(draw, graph, value):
    kind = draw.pick("", "", "Relu", "HardSwish", "SiLU", "LeakyRelu")
    if kind == "SiLU":
        return graph("Mul", value, graph("Sigmoid", value))
    return graph(kind, value) if kind else value


def convolve(draw, graph, rank, channels, filters, groups, window, stride, dilation, at_run_time=False, batch=1):
    sizes = extents(draw, rank, channels // groups, filters, window)
    sizes = [max(size, (k - 1) * dilation + 1) for size, k in zip(sizes, window)]
    pads = [draw.pick(0, (k - 1) * dilation // 2, (k - 1) * dilation // 2) for k in window]
    depth = channels // groups
    kernel = draw.weights(filters, depth, *window, inputs=depth * np.prod(window))
    value = graph.input(draw.numbers(batch, channels, *sizes))
    operands = [graph.input(kernel) if at_run_time else graph.constant(kernel)]
    if draw.chance(0.7):
        operands.append(graph.constant(draw.numbers(filters)))
    result = graph(
        "Conv", value, *operands, kernel_shape=window, strides=[stride] * rank, dilations=[dilation] * rank,
        group=groups, pads=pads * 2,
    )
    return activation(draw, graph, result)


def channels(draw):
    return draw.near(16, 24, 32, 40, 64, 72, 96, 128, 192, 256, 384, 512)


def dense(draw, graph):
    window = list(draw.pick((3, 3), (3, 3), (5, 5), (7, 7), (1, 7), (3, 1), (2, 2), (4, 4), (1, 5)))
    stride, dilation = draw.pick((1, 1), (1, 1), (2, 1), (1, 2), (1, 3), (3, 1))
    return convolve(draw, graph, 2, channels(draw), channels(draw), 1, window, stride, dilation)


def pointwise(draw, graph):
    batch = draw.pick(1, 1, 1, 2, 5)
    return convolve(draw, graph, 2, channels(draw), channels(draw), 1, [1, 1], draw.pick(1, 1, 1, 2), 1, batch=batch)


def first_layer(draw, graph):
    """Few channels of a picture or a sound."""
    size, stride = draw.pick((3, 1), (3, 2), (7, 2), (4, 4), (5, 1), (8, 4), (16, 16))
    return convolve(draw, graph, 2, draw.pick(1, 3, 3, 4, 6), channels(draw), 1, [size] * 2, stride, 1)


def last_layer(draw, graph):
    """Few filters."""
    size = draw.pick(1, 3, 3, 7)
    return convolve(draw, graph, 2, channels(draw), draw.whole(1, 6), 1, [size] * 2, 1, 1)


def depthwise(draw, graph):
    count, multiplier = channels(draw), draw.pick(1, 1, 1, 1, 2)
    size, stride = draw.pick(3, 3, 5, 7, 9, 11), draw.pick(1, 1, 2)
    dilation = 1 if stride > 1 else draw.pick(1, 1, 1, 2, 3)
    batch = draw.pick(1, 1, 1, 3)
    return convolve(draw, graph, 2, count, count * multiplier, count, [size] * 2, stride, dilation, batch=batch)


def grouped(draw, graph):
    groups, inputs = draw.pick(2, 3, 4, 7, 8, 16, 32), draw.near(2, 4, 8, 12, 16, 24, 32)
    outputs = draw.pick(inputs, inputs, draw.near(4, 8, 16, 24))
    size, stride = draw.pick((1, 1), (3, 1), (3, 1), (3, 2), (5, 1))
    return convolve(draw, graph, 2, groups * inputs, groups * outputs, groups, [size] * 2, stride, 1)


def line(draw, graph):
    """One dimension: speech and series."""
    size, stride = draw.pick((1, 1), (3, 1), (3, 2), (5, 1), (7, 1), (10, 5), (2, 2), (11, 1))
    dilation = draw.pick(1, 1, 2, 3, 5, 9) if stride == 1 else 1
    inputs, filters = draw.pick(1, channels(draw), channels(draw), 80), channels(draw)
    return convolve(draw, graph, 1, inputs, filters, 1, [size], stride, dilation)


def line_grouped(draw, graph):
    count, size = channels(draw), draw.pick(3, 5, 7, 15, 31)
    if draw.chance(0.6):
        return convolve(draw, graph, 1, count, count, count, [size], draw.pick(1, 1, 2), draw.pick(1, 1, 2, 4))
    groups, width = draw.pick(2, 4, 8, 16), draw.near(4, 8, 16, 24, 48)
    return convolve(draw, graph, 1, groups * width, groups * width, groups, [size], 1, 1)


def volume(draw, graph):
    window = list(draw.pick((3, 3, 3), (1, 3, 3), (3, 1, 1), (1, 1, 1), (2, 2, 2), (3, 5, 5)))
    inputs, filters = draw.pick(1, 3, channels(draw), channels(draw)), channels(draw)
    return convolve(draw, graph, 3, inputs, filters, 1, window, draw.pick(1, 1, 2), 1)


def volume_depthwise(draw, graph):
    count = channels(draw)
    return convolve(draw, graph, 3, count, count, count, [draw.pick(1, 3), 3, 3], draw.pick(1, 1, 2), 1)


def run_time_weights(draw, graph):
    size = draw.pick(1, 3, 3, 5)
    return convolve(draw, graph, 2, channels(draw), channels(draw), 1, [size] * 2, draw.pick(1, 1, 2), 1, True)


def transposed(draw, graph, rank, inputs, outputs, groups, size, stride):
    sizes = extents(draw, rank, inputs // groups, outputs, [size] * rank)
    pad = (size - stride) // 2 if size > stride and draw.chance(0.8) else 0
    kernel = draw.weights(inputs, outputs // groups, *[size] * rank, inputs=inputs // groups * (size / stride) ** rank)
    operands = [graph.constant(kernel)]
    if draw.chance(0.7):
        operands.append(graph.constant(draw.numbers(outputs)))
    extra = draw.pick(0, 0, 1) if stride > 1 else 0
    result = graph(
        "ConvTranspose", graph.input(draw.numbers(1, inputs, *sizes)), *operands, kernel_shape=[size] * rank,
        strides=[stride] * rank, pads=[pad] * 2 * rank, output_padding=[extra] * rank, group=groups,
    )
    return activation(draw, graph, result)


def transposed_dense(draw, graph):
    size, stride = draw.pick((2, 2), (3, 2), (4, 2), (3, 1), (5, 2), (4, 4), (3, 3), (5, 3), (8, 4))
    return transposed(draw, graph, 2, channels(draw), draw.pick(1, 3, channels(draw), channels(draw)), 1, size, stride)


def transposed_grouped(draw, graph):
    size, stride = draw.pick((2, 2), (3, 2), (4, 2), (3, 1))
    groups, width = draw.pick((draw.near(64, 128, 256), 1), (4, draw.near(8, 16)), (8, draw.near(8, 16, 32)))
    return transposed(draw, graph, 2, groups * width, groups * width, groups, size, stride)


def transposed_line(draw, graph):
    size, stride = draw.pick((16, 8), (8, 4), (4, 2), (3, 1), (5, 2), (2, 2), (11, 5), (6, 3))
    return transposed(draw, graph, 1, channels(draw), channels(draw), 1, size, stride)


def transposed_volume(draw, graph):
    size, stride = draw.pick((2, 2), (3, 2), (4, 2))
    return transposed(draw, graph, 3, channels(draw), channels(draw), 1, size, stride)


FAMILIES = {
    "conv-dense": dense,
    "conv-pointwise": pointwise,
    "conv-first": first_layer,
    "conv-last": last_layer,
    "conv-depthwise": depthwise,
    "conv-grouped": grouped,
    "conv-line": line,
    "conv-line-grouped": line_grouped,
    "conv-volume": volume,
    "conv-volume-depthwise": volume_depthwise,
    "conv-run-time": run_time_weights,
    "transposed-dense": transposed_dense,
    "transposed-grouped": transposed_grouped,
    "transposed-line": transposed_line,
    "transposed-volume": transposed_volume,
}

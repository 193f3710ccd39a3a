"""What moves elements: transposes, cuts, joins, borders, gathers, scatters."""
import numpy as np

from .rows import axis_of, tensor

KINDS = (np.float32, np.float32, np.float32, np.float16, np.uint8, np.int64, np.bool_)


def data(draw, shape):
    """Elements of any type."""
    return (draw.numbers(*shape) * 20).clip(0, 255).astype(draw.pick(*KINDS))


def transpose(draw, graph):
    shape = tensor(draw, draw.whole(2, 5))
    return graph("Transpose", graph.input(data(draw, shape)), perm=draw.order(len(shape)))


def window_partition(draw, graph):
    """Cut and permute, as shifted windows and shuffles of pixels and channels do."""
    windows, size, channels = draw.pick(2, 4, 8), draw.pick(4, 7, 8), draw.near(24, 32, 96, 128)
    kind = draw.pick("windows", "channels", "heads", "depth", "space")
    if kind == "windows":
        value = graph.input(draw.numbers(1, windows * size, windows * size, channels))
        value = graph("Reshape", value, graph.sizes([windows, size, windows, size, channels]))
        value = graph("Transpose", value, perm=[0, 2, 1, 3, 4])
        return graph("Reshape", value, graph.sizes([-1, size * size, channels]))
    if kind == "channels":
        groups, extent = draw.pick(2, 3, 4), draw.near(7, 14, 28)
        value = graph.input(draw.numbers(1, groups * channels, extent, extent))
        value = graph("Reshape", value, graph.sizes([1, groups, channels, extent * extent]))
        value = graph("Transpose", value, perm=[0, 2, 1, 3])
        return graph("Reshape", value, graph.sizes([1, -1, extent, extent]))
    if kind == "heads":
        rows, heads, width = draw.near(49, 100, 197, 400), draw.near(3, 8, 12), draw.near(32, 64)
        value = graph("Reshape", graph.input(draw.numbers(1, rows, 3 * heads * width)),
                      graph.sizes([1, rows, 3, heads, width]))
        return graph("Transpose", value, perm=[2, 0, 3, 1, 4])
    factor, extent = draw.pick(2, 3, 4), draw.near(16, 28, 64)
    if kind == "depth":
        value = graph.input(draw.numbers(1, factor * factor * draw.near(3, 8, 16), extent, extent))
        return graph("DepthToSpace", value, blocksize=factor, mode=draw.pick("DCR", "CRD"))
    return graph("SpaceToDepth", graph.input(draw.numbers(1, draw.near(3, 16), extent * factor, extent * factor)),
                 blocksize=factor)


def cut(draw, graph):
    """A slice with a step, or backwards."""
    shape = tensor(draw, draw.whole(2, 5))
    axes = sorted(draw.order(len(shape))[: draw.whole(1, 2)])
    starts, ends, steps = [], [], []
    for axis in axes:
        low, step = draw.whole(0, shape[axis] // 3), draw.pick(1, 1, 1, 2, 3, -1)
        starts.append(low if step > 0 else shape[axis] - 1)
        ends.append(max(low + 1, shape[axis] - draw.whole(0, shape[axis] // 3)) if step > 0 else -shape[axis] - 1)
        steps.append(step)
    return graph("Slice", graph.input(data(draw, shape)), *map(graph.sizes, (starts, ends, axes, steps)))


def split(draw, graph):
    shape = list(tensor(draw, draw.whole(2, 5)))
    axis = axis_of(draw, shape)
    parts = [max(1, draw.near(shape[axis])) for _ in range(draw.pick(2, 2, 3))]
    shape[axis] = sum(parts)
    shape = [size if place == axis else max(1, size // len(parts)) for place, size in enumerate(shape)]
    return graph("Split", graph.input(draw.numbers(*shape)), graph.sizes(parts), axis=axis, outputs=len(parts))


def join(draw, graph):
    shape = list(tensor(draw, draw.whole(2, 5), 5e5))
    axis = axis_of(draw, shape)
    parts = []
    for _ in range(draw.pick(2, 2, 3, 4)):
        shape[axis] = max(1, draw.near(shape[axis]))
        parts.append(graph.input(draw.numbers(*shape)))
    return graph("Concat", *parts, axis=axis)


def roll(draw, graph):
    """The ends of an axis change places."""
    shape = tensor(draw, draw.whole(3, 4))
    value = graph.input(draw.numbers(*shape))
    for axis in (1, 2):
        place = max(1, shape[axis] // 2 - 1)
        tail = graph("Slice", value, *map(graph.sizes, ([place], [1 << 60], [axis])))
        head = graph("Slice", value, *map(graph.sizes, ([0], [place], [axis])))
        value = graph("Concat", tail, head, axis=axis)
    return value


def border(draw, graph):
    shape = tensor(draw, draw.whole(2, 4))
    mode = draw.pick("constant", "constant", "reflect", "edge", "wrap")
    most = [min(4, size - 1) for size in shape]
    pads = [draw.whole(0, reach) if draw.chance(0.6) else 0 for reach in most * 2]
    value = graph.input(draw.numbers(*shape) if draw.chance(0.7) else data(draw, shape).astype(np.float32))
    if draw.chance(0.2):
        return graph("Pad", value, graph.input(np.array(pads, np.int64)), mode=mode)
    return graph("Pad", value, graph.sizes(pads), mode=mode)


def repeat(draw, graph):
    shape = tensor(draw, draw.whole(2, 4), 1e5)
    if draw.chance(0.5):
        return graph("Tile", graph.input(draw.numbers(*shape)), graph.sizes([draw.pick(1, 2, 3) for _ in shape]))
    narrow = [1 if draw.chance(0.4) else size for size in shape]
    wide = [draw.near(4, 16, 64) if size == 1 else size for size in narrow]
    wide = [size if before > 1 else min(size, 16) for before, size in zip(narrow, wide)]
    return graph("Expand", graph.input(draw.numbers(*narrow)), graph.sizes(wide))


def gather(draw, graph):
    shape = tensor(draw, draw.whole(1, 4))
    axis = axis_of(draw, shape)
    count = draw.near(8, 64, 196, 512)
    value = graph.input(draw.numbers(*shape))
    if draw.chance(0.6):
        while count > 1 and count * np.prod(shape) / shape[axis] > 1e6:
            count //= 2
        places = draw.generator.integers(0, shape[axis], count)
        return graph("Gather", value, graph.constant(places) if draw.chance(0.4) else graph.input(places), axis=axis)
    if draw.chance(0.5):
        places = draw.generator.integers(0, shape[axis], [min(size, 300) for size in shape])
        return graph("GatherElements", value, graph.input(places), axis=axis)
    depth = draw.whole(1, len(shape))
    places = np.stack([draw.generator.integers(0, size, count) for size in shape[:depth]], -1)
    return graph("GatherND", value, graph.input(places))


def embedding(draw, graph):
    count, width, rows = draw.near(1000, 8000), draw.near(64, 256, 768), draw.near(8, 128, 512)
    table = graph.constant(draw.numbers(count, width))
    return graph("Gather", table, graph.input(draw.generator.integers(0, count, (1, rows))), axis=0)


def scatter(draw, graph):
    shape = tensor(draw, draw.whole(1, 4), 3e5)
    axis = axis_of(draw, shape)
    value = graph.input(draw.numbers(*shape))
    reduction = draw.pick("none", "none", "add", "max")
    if draw.chance(0.5):
        part = [max(1, size // 2) for size in shape]
        places = draw.generator.permuted(np.broadcast_to(
            np.arange(shape[axis]).reshape([-1 if at == axis else 1 for at in range(len(shape))]),
            [shape[axis] if at == axis else size for at, size in enumerate(part)]), axis=axis)
        places = np.take(places, range(part[axis]), axis)
        return graph("ScatterElements", value, graph.input(places.astype(np.int64)),
                     graph.input(draw.numbers(*part)), axis=axis, reduction=reduction)
    count = max(1, shape[0] // 2)
    places = draw.generator.permutation(shape[0])[:count].reshape(-1, 1)
    updates = graph.input(draw.numbers(count, *shape[1:]))
    return graph("ScatterND", value, graph.input(places), updates, reduction=reduction)


def found(draw, graph):
    """What the data decides: places of what is not zero, rows that a mask keeps."""
    shape = tensor(draw, draw.whole(1, 3))
    mask = draw.numbers(*shape) > draw.pick(0, 1, 2)
    if draw.chance(0.5):
        return graph("NonZero", graph.input(mask))
    return graph("Compress", graph.input(draw.numbers(*shape)), graph.input(mask.reshape(shape[0], -1)[:, 0]), axis=0)


def triangle(draw, graph):
    return graph("Trilu", graph.input(draw.numbers(draw.pick(1, 3), *[draw.near(49, 128, 512)] * 2)),
                 upper=draw.pick(0, 1))


FAMILIES = {
    "transpose": transpose,
    "partition": window_partition,
    "slice": cut,
    "split": split,
    "concat": join,
    "roll": roll,
    "pad": border,
    "repeat": repeat,
    "gather": gather,
    "embedding": embedding,
    "scatter": scatter,
    "found": found,
    "triangle": triangle,
}

"""Small networks of seeded weights that compute shapes as they run, the ways exporters write it down."""
import numpy as np

from .decoder import packed_decoder
from .graph import FLOAT, INT64, Graph, float_tensor, integer_tensor


def conv(g, x, channels, count, kernel=3, stride=1, act=True, bias=True):
    weights = [g.weight(count, channels, kernel, kernel)] + ([g.weight(count, scale=0.1)] if bias else [])
    pad = [kernel // 2] * 4
    y = g.Conv(x, *weights, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=pad)
    return g.Mul(y, g.Sigmoid(y)) if act else y


def anchors(g, feature):
    """Centres of the cells of `feature`, `[2, h·w]`: ranges of float sizes, expanded against each other."""
    height, width = g.size(feature, 2), g.size(feature, 3)
    centres = []
    for extent in (width, height):
        steps = g.Range(g.constant(0.0, np.float32), g.Cast(extent, to=FLOAT), g.constant(1.0, np.float32))
        centres.append(g.Add(steps, g.constant(0.5, np.float32)))
    x, y = centres
    grid = g.Concat(g.Shape(y), g.Shape(x), axis=0)
    across = g.Expand(g.Reshape(x, g.constant([1, -1])), grid)
    down = g.Expand(g.Reshape(y, g.constant([-1, 1])), grid)
    last = g.constant([-1])
    pairs = g.Concat(g.Unsqueeze(across, last), g.Unsqueeze(down, last), axis=-1)
    return g.Transpose(g.Reshape(pairs, g.constant([-1, 2])), perm=[1, 0])


def strides(g, feature, stride):
    """`[1, h·w]` of one number."""
    count = g.Mul(g.size(feature, 2), g.size(feature, 3))
    zeros = g.ConstantOfShape(g.vector(1, count), value=float_tensor(0.0))
    return g.Add(zeros, g.constant(float(stride), np.float32))


def detector():
    """A detector of YOLOv8's kind: two levels, anchors and strides made of shapes, boxes from distributions."""
    g = Graph("detector")
    classes, bins = 3, 4
    x = g.input("images", FLOAT, "batch", 3, "height", "width")
    fine = conv(g, conv(g, x, 3, 8, stride=2), 8, 16, stride=2)
    coarse = conv(g, fine, 16, 16, stride=2)
    scales = g.constant([1, 1, 2, 2], np.float32)
    up = g.Resize(coarse, "", scales, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    fine = conv(g, g.Concat(up, fine, axis=1), 32, 16)
    width = 4 * bins + classes
    levels = [conv(g, level, 16, width, kernel=1, act=False) for level in (fine, coarse)]
    batch = g.size(levels[0], 0)
    flat = [g.Reshape(level, g.vector(batch, width, -1)) for level in levels]
    boxes, scores = g.Split(g.Concat(*flat, axis=2), g.constant([4 * bins, classes]), axis=1, outputs=2)
    count = g.size(boxes, 2)
    spread = g.Transpose(g.Reshape(boxes, g.vector(batch, 4, bins, count)), perm=[0, 2, 1, 3])
    mean = g.Conv(g.Softmax(spread, axis=1), g.tensor(np.arange(bins, dtype=np.float32).reshape(1, bins, 1, 1)))
    distance = g.Reshape(mean, g.vector(batch, 4, count))
    points = g.Unsqueeze(g.Concat(*[anchors(g, level) for level in levels], axis=1), g.constant([0]))
    rows = g.size(distance, 1)
    half = g.Div(g.Add(rows, g.constant(1)), g.constant(2))
    half = g.Unsqueeze(half, g.constant([0]))
    axis = g.constant([1])
    near = g.Slice(distance, g.constant([0]), half, axis)
    far = g.Slice(distance, half, g.Mul(half, g.constant([2])), axis)
    low, high = g.Sub(points, near), g.Add(points, far)
    centre = g.Div(g.Add(low, high), g.constant(2.0, np.float32))
    steps = g.Concat(strides(g, levels[0], 4), strides(g, levels[1], 8), axis=1)
    boxes = g.Mul(g.Concat(centre, g.Sub(high, low), axis=1), steps)
    g.output(g.Concat(boxes, g.Sigmoid(scores), axis=1), "output0", FLOAT, 3)
    return g


def t5_bias(g, length, table, heads):
    """T5's bias of relative positions, `[1, heads, length, length]`: buckets computed from ranges."""
    zero, one = g.constant(0), g.constant(1)
    positions = g.Range(zero, length, one)
    context, memory = g.Unsqueeze(positions, g.constant([1])), g.Unsqueeze(positions, g.constant([0]))
    relative = g.Sub(memory, context)
    buckets, largest = 8, 20
    side = g.Mul(g.Cast(g.Greater(relative, zero), to=INT64), g.constant(buckets // 2))
    distance = g.Abs(relative)
    exact = buckets // 4
    ratio = g.Div(g.Cast(distance, to=FLOAT), g.constant(float(exact), np.float32))
    scaled = g.Div(g.Log(ratio), g.constant(float(np.log(largest / exact)), np.float32))
    wide = g.Cast(g.Mul(scaled, g.constant(float(buckets // 2 - exact), np.float32)), to=INT64)
    wide = g.Add(wide, g.constant(exact))
    shape = g.Shape(wide)
    last = g.Mul(g.ConstantOfShape(shape, value=integer_tensor(1)), g.constant(buckets // 2 - 1))
    wide = g.Min(wide, last)
    bucket = g.Add(side, g.Where(g.Less(distance, g.constant(exact)), distance, wide))
    return g.Unsqueeze(g.Transpose(g.Gather(table, bucket), perm=[2, 0, 1]), g.constant([0]))


def t5_norm(g, x, width):
    power = g.Pow(x, g.constant(2.0, np.float32))
    mean = g.ReduceMean(power, axes=[-1], keepdims=1)
    root = g.Sqrt(g.Add(mean, g.constant(1e-6, np.float32)))
    return g.Mul(g.weight(width, scale=1), g.Mul(x, g.Div(g.constant(1.0, np.float32), root)))


def t5_encoder(layers=3):
    """T5's encoder: open batch and length, relative positions, an additive mask, heads split by computed shapes."""
    g = Graph("t5_encoder")
    width, heads, per = 32, 4, 8
    ids = g.input("input_ids", INT64, "batch", "length")
    mask = g.input("attention_mask", INT64, "batch", "length")
    x = g.Gather(g.weight(64, width, scale=1), ids)
    flat = g.Cast(g.Unsqueeze(g.Unsqueeze(mask, g.constant([1])), g.constant([2])), to=FLOAT)
    hidden = g.Mul(g.Sub(g.constant(1.0, np.float32), flat), g.constant(-1e9, np.float32))
    table = g.weight(8, heads, scale=0.5)
    bias = None
    for _ in range(layers):
        normed = t5_norm(g, x, width)
        batch, length = g.size(normed, 0), g.size(normed, 1)
        parts = []
        for _ in range(3):
            y = g.MatMul(normed, g.weight(width, width, scale=width**-0.5))
            parts.append(g.Transpose(g.Reshape(y, g.vector(batch, -1, heads, per)), perm=[0, 2, 1, 3]))
        scores = g.MatMul(parts[0], g.Transpose(parts[1], perm=[0, 1, 3, 2]))
        if bias is None:
            bias = t5_bias(g, length, table, heads)
            # Exporters cut the bias to the length of what there is to attend to.
            start, end = g.Unsqueeze(g.Neg(length), g.constant([0])), g.constant([2**63 - 1])
            bias = g.Slice(bias, start, end, g.constant([2]))
            bias = g.Add(bias, hidden)
        weights = g.Softmax(g.Add(scores, bias), axis=-1)
        mixed = g.Transpose(g.MatMul(weights, parts[2]), perm=[0, 2, 1, 3])
        joined = g.Reshape(mixed, g.vector(batch, -1, width))
        x = g.Add(x, g.MatMul(joined, g.weight(width, width, scale=width**-0.5)))
        normed = t5_norm(g, x, width)
        inner = g.Relu(g.MatMul(normed, g.weight(width, 64, scale=width**-0.5)))
        x = g.Add(x, g.MatMul(inner, g.weight(64, width, scale=0.1)))
    g.output(t5_norm(g, x, width), "last_hidden_state", FLOAT, 3)
    return g


def cbam(g, x, channels):
    """Attention over channels, then over places: gates of one column and of one channel."""
    down, up = g.weight(4, channels, 1, 1), g.weight(channels, 4, 1, 1)
    pools = [g.GlobalAveragePool(x), g.GlobalMaxPool(x)]
    x = g.Mul(x, g.Sigmoid(g.Add(*[g.Conv(g.Relu(g.Conv(pool, down)), up) for pool in pools])))
    mean, most = g.ReduceMean(x, axes=[1], keepdims=1), g.ReduceMax(x, axes=[1], keepdims=1)
    gate = g.Conv(g.Concat(mean, most, axis=1), g.weight(1, 2, 7, 7, scale=0.3), pads=[3] * 4)
    return g.Mul(x, g.Sigmoid(gate))


def cbam_resnet():
    """Residual blocks with CBAM, and a classifier behind a computed flattening."""
    g = Graph("cbam_resnet")
    x = g.input("image", FLOAT, "batch", 3, "height", "width")
    x = g.Relu(conv(g, x, 3, 16, kernel=7, stride=2, act=False))
    x = g.MaxPool(x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    for channels, count, stride in ((16, 16, 1), (16, 32, 2)):
        y = g.Relu(conv(g, x, channels, count, stride=stride, act=False))
        y = cbam(g, conv(g, y, count, count, act=False), count)
        skip = x if stride == 1 else conv(g, x, channels, count, kernel=1, stride=stride, act=False)
        x = g.Relu(g.Add(y, skip))
    pooled = g.GlobalAveragePool(x)
    rows = g.Reshape(pooled, g.vector(g.size(pooled, 0), -1))
    g.output(g.Gemm(rows, g.weight(5, 32), g.weight(5, scale=0.1), transB=1), "logits", FLOAT, 2)
    return g


def pyramid():
    """A feature pyramid for segmentation. One level is resized to the sizes of another, the next by a quotient of
    sizes, the last to the picture."""
    g = Graph("pyramid")
    x = g.input("image", FLOAT, "batch", 3, "height", "width")
    levels = []
    y = x
    for channels, count in ((3, 8), (8, 16), (16, 24)):
        y = conv(g, y, channels, count, stride=2)
        levels.append(conv(g, y, count, 8, kernel=1, act=False))
    start, two, four, axis = g.constant([0]), g.constant([2]), g.constant([4]), g.constant([0])
    front = g.Slice(g.Shape(levels[2]), start, two, axis)
    back = g.Slice(g.Shape(levels[1]), two, four, axis)
    up = g.Resize(levels[2], "", "", g.Concat(front, back, axis=0), mode="nearest", nearest_mode="floor",
                  coordinate_transformation_mode="asymmetric")
    middle = g.Add(levels[1], up)
    factors = [g.constant([1.0, 1.0], np.float32)]
    for number in (2, 3):
        wanted, have = g.size(levels[0], number), g.size(middle, number)
        factors.append(g.Unsqueeze(g.Div(g.Cast(wanted, to=FLOAT), g.Cast(have, to=FLOAT)), axis))
    up = g.Resize(middle, "", g.Concat(*factors, axis=0), mode="linear", coordinate_transformation_mode="half_pixel")
    top = conv(g, g.Add(levels[0], up), 8, 4, act=False)
    sizes = g.Concat(g.Shape(top, end=2), g.Cast(g.Floor(g.Cast(g.Shape(x, start=2), to=FLOAT)), to=INT64), axis=0)
    full = g.Resize(top, "", "", sizes, mode="linear", coordinate_transformation_mode="pytorch_half_pixel")
    g.output(full, "logits", FLOAT, 4)
    return g


def squeezing():
    """`torch.squeeze` of open extents: each an `If` whose sides differ in rank, and what follows it asks for the rank."""
    g = Graph("squeezing")
    x = g.input("x", FLOAT, "batch", 8, "length")
    y = g.Relu(g.Conv(x, g.weight(8, 8, 3), g.weight(8, scale=0.1), kernel_shape=[3], pads=[1, 1]))
    last = g.constant([-1])
    alone = g.Equal(g.Gather(g.Shape(y), last), g.constant([1]))
    y = g.If(
        alone,
        then_branch=g.branch(lambda: [g.Squeeze(y, last)]),
        else_branch=g.branch(lambda: [g.Identity(y)]),
    )
    flat = g.Equal(g.Size(g.Shape(y)), g.constant(2))
    y = g.If(
        g.Not(flat),
        then_branch=g.branch(lambda: [g.ReduceMean(y, axes=[2], keepdims=0)]),
        else_branch=g.branch(lambda: [g.Tanh(y)]),
    )
    g.output(g.MatMul(y, g.weight(8, 4)), "y", FLOAT, 2)
    return g


NETWORKS = {
    "detector": detector,
    "t5_encoder": t5_encoder,
    "cbam_resnet": cbam_resnet,
    "pyramid": pyramid,
    "squeezing": squeezing,
    "packed_decoder": packed_decoder,
}

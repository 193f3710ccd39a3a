"""What runs along an axis or over elements: norms, softmax, reductions, sorting, sums so far, functions, types."""
import numpy as np


def tensor(draw, rank=None, elements=1e6):
    """A shape of a tensor in a network: pictures, sequences, heads."""
    rank = rank or draw.whole(1, 5)
    axes = {
        1: lambda: (draw.near(100, 1000, 8400, 100000),),
        2: lambda: (draw.near(1, 16, 100, 512, 2048), draw.near(7, 64, 768, 1000, 3072)),
        3: lambda: (draw.pick(1, 1, 4, 12), draw.near(16, 49, 197, 512, 1500), draw.near(32, 49, 96, 768, 1024)),
        4: lambda: (draw.pick(1, 1, 2, 3), draw.near(3, 12, 32, 64, 256), *[draw.near(7, 14, 49, 56, 128)] * 2),
        5: lambda: (1, draw.near(2, 8, 16), draw.near(3, 8, 32), draw.near(7, 14, 28), draw.near(7, 14, 28)),
    }[rank]()
    return draw.shape(elements, *axes)


def axis_of(draw, shape):
    """Any axis, the last one more often than others."""
    return len(shape) - 1 if draw.chance(0.4) else draw.whole(0, len(shape) - 1)


def softmax(draw, graph):
    shape = tensor(draw)
    return graph(draw.pick("Softmax", "Softmax", "LogSoftmax"), graph.input(draw.numbers(*shape)),
                 axis=axis_of(draw, shape))


def layer_norm(draw, graph):
    shape = tensor(draw, draw.pick(2, 3, 4))
    width = shape[-1]
    value = graph.input(draw.numbers(*shape))
    if draw.chance(0.5):
        value = graph("Add", value, graph.input(draw.numbers(*shape)))
    scale, shift = graph.constant(draw.numbers(width)), graph.constant(draw.numbers(width))
    if draw.chance(0.6):
        return graph("LayerNormalization", value, scale, shift, axis=-1)
    squares = graph("ReduceMean", graph("Mul", value, value), graph.sizes([-1]))
    root = graph("Sqrt", graph("Add", squares, graph.constant(np.float32(1e-5))))
    return graph("Mul", graph("Div", value, root), scale)


def group_norm(draw, graph):
    groups, width, extent = draw.pick(1, 4, 8, 32), draw.near(2, 4, 8, 12), draw.near(14, 28, 56, 64)
    channels = groups * width
    _, channels, extent, other = shape = (1, channels, extent, draw.pick(extent, extent, draw.near(extent)))
    value = graph.input(draw.numbers(*shape))
    kind = draw.pick("instance", "group", "batch", "channels")
    one, zero = graph.constant(np.ones(groups, np.float32)), graph.constant(np.zeros(groups, np.float32))
    scale, shift = draw.numbers(channels), draw.numbers(channels)
    if kind == "instance":
        return graph("InstanceNormalization", value, graph.constant(scale), graph.constant(shift))
    if kind == "batch":
        mean, variance = graph.constant(draw.numbers(channels)), graph.constant(np.abs(draw.numbers(channels)) + 0.5)
        value = graph("BatchNormalization", value, graph.constant(scale), graph.constant(shift), mean, variance)
        return graph("Relu", value)
    if kind == "channels":
        value = graph("Transpose", value, perm=[0, 2, 3, 1])
        value = graph("LayerNormalization", value, graph.constant(scale), graph.constant(shift), axis=-1)
        return graph("Transpose", value, perm=[0, 3, 1, 2])
    value = graph("InstanceNormalization", graph("Reshape", value, graph.sizes([1, groups, -1])), one, zero)
    value = graph("Reshape", value, graph.sizes(shape))
    value = graph("Mul", value, graph.constant(scale.reshape(-1, 1, 1)))
    value = graph("Add", value, graph.constant(shift.reshape(-1, 1, 1)))
    return graph("Mul", value, graph("Sigmoid", value)) if draw.chance(0.5) else value


def reduction(draw, graph):
    shape = tensor(draw)
    count = draw.whole(1, min(3, len(shape)))
    axes = sorted(draw.order(len(shape))[:count]) if draw.chance(0.5) else [axis_of(draw, shape)]
    operator = draw.pick("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL2", "ReduceProd",
                         "ReduceSumSquare", "ReduceLogSumExp", "ReduceL1")
    spread = draw.numbers(*shape, scale=0.01) + 1 if operator == "ReduceProd" else draw.numbers(*shape)
    return graph(operator, graph.input(spread), graph.sizes(axes), keepdims=draw.pick(0, 1))


def arg(draw, graph):
    shape = tensor(draw)
    return graph(draw.pick("ArgMax", "ArgMin"), graph.input(draw.numbers(*shape)), axis=axis_of(draw, shape))


def top_k(draw, graph):
    shape = tensor(draw)
    axis = axis_of(draw, shape)
    count = max(1, min(shape[axis], draw.near(1, 5, 10, 100, 300)))
    return graph("TopK", graph.input(draw.numbers(*shape)), graph.sizes([count]), axis=axis, outputs=2,
                 largest=draw.pick(1, 1, 0))


def sums_so_far(draw, graph):
    shape = tensor(draw)
    axis = graph.constant(np.array(axis_of(draw, shape), np.int64))
    value = draw.numbers(*shape) if draw.chance(0.7) else draw.generator.integers(0, 9, shape)
    return graph("CumSum", graph.input(value), axis, exclusive=draw.pick(0, 0, 1), reverse=draw.pick(0, 0, 1))


def function(draw, graph):
    operator = draw.pick(
        "Exp", "Log", "Tanh", "Sigmoid", "Erf", "Sqrt", "Reciprocal", "Sin", "Cos", "Gelu", "HardSwish", "Mish",
        "Softplus", "Elu", "Floor", "Round", "Abs", "Neg", "Relu", "Atan", "Selu", "HardSigmoid", "Softsign", "Sign",
    )
    data = draw.numbers(*tensor(draw))
    data = np.abs(data) + 0.1 if operator in ("Log", "Sqrt", "Reciprocal") else data
    return graph(operator, graph.input(data))


def widened(draw, shape):
    """A shape that spreads to `shape`."""
    kept = [size if draw.chance(0.6) else 1 for size in shape]
    return kept[draw.whole(0, len(shape) - 1):] if draw.chance(0.4) else kept


def chain(draw, graph):
    """Two to five operations on elements, operands of which are spread."""
    shape = tensor(draw)
    value = graph.input(draw.numbers(*shape))
    for _ in range(draw.whole(2, 5)):
        operator = draw.pick("Add", "Mul", "Sub", "Div", "Max", "Sigmoid", "Tanh", "Relu", "Clip", "SiLU", "PRelu")
        if operator in ("Sigmoid", "Tanh", "Relu"):
            value = graph(operator, value)
        elif operator == "SiLU":
            value = graph("Mul", value, graph("Sigmoid", value))
        elif operator == "Clip":
            value = graph("Clip", value, graph.constant(np.float32(-1)), graph.constant(np.float32(2)))
        else:
            other = np.abs(draw.numbers(*widened(draw, shape))) + 0.5
            value = graph(operator, value, graph.input(other) if draw.chance(0.5) else graph.constant(other))
    return value


def binary(draw, graph):
    """One operation on two tensors, one of which may be spread, of several types."""
    shape = tensor(draw)
    first, second = shape, draw.pick(shape, widened(draw, shape))
    kind = draw.pick(np.float32, np.float32, np.float32, np.int64, np.int32, np.float64)
    operator = draw.pick("Add", "Sub", "Mul", "Div", "Max", "Min", "Equal", "Less", "Greater", "Pow", "Mod")
    if operator in ("Pow", "Mod") and np.dtype(kind).kind != "f":
        kind = np.int64
    arrays = [(np.abs(draw.numbers(*sizes)) * 4 + 1).astype(kind) for sizes in (first, second)]
    attributes = {"fmod": int(np.dtype(kind).kind == "f")} if operator == "Mod" else {}
    return graph(operator, *map(graph.input, arrays), **attributes)


def choice(draw, graph):
    shape = tensor(draw)
    value = graph.input(draw.numbers(*shape))
    condition = graph(draw.pick("Greater", "Less", "GreaterOrEqual"), value,
                      graph.input(draw.numbers(*widened(draw, shape))))
    if draw.chance(0.3):
        condition = graph.input(draw.numbers(*widened(draw, shape)) > 0)
    other = draw.pick(graph.constant(np.float32(-1e4)), graph.input(draw.numbers(*shape)))
    return graph("Where", condition, value, other)


def cast(draw, graph):
    from onnx import helper

    kinds = [np.float32, np.float16, np.int64, np.int32, np.uint8, np.int8, np.bool_, np.float64]
    source, target = kinds[draw.whole(0, 7)], kinds[draw.whole(0, 7)]
    data = (np.abs(draw.numbers(*tensor(draw))) * 20).astype(source)
    return graph("Cast", graph.input(data), to=helper.np_dtype_to_tensor_dtype(np.dtype(target)))


def quantise(draw, graph):
    shape = tensor(draw)
    value, zero = graph.input(draw.numbers(*shape)), draw.pick(np.uint8(128), np.int8(3))
    axis = draw.whole(0, len(shape) - 1)
    kind = draw.pick("one", "axis", "dynamic", "codes")
    if kind == "dynamic":
        return graph("DynamicQuantizeLinear", value, outputs=3)[0]
    many = kind == "axis"
    step = np.full(shape[axis], 0.03, np.float32) if many else np.float32(0.03)
    zeros = np.full(shape[axis], zero) if many else zero
    codes = graph("QuantizeLinear", value, graph.constant(step), graph.constant(zeros), axis=axis)
    if kind == "codes":
        return codes
    return graph("DequantizeLinear", codes, graph.constant(step), graph.constant(zeros), axis=axis)


FAMILIES = {
    "softmax": softmax,
    "layer-norm": layer_norm,
    "group-norm": group_norm,
    "reduction": reduction,
    "arg": arg,
    "top-k": top_k,
    "sums-so-far": sums_so_far,
    "function": function,
    "chain": chain,
    "binary": binary,
    "choice": choice,
    "cast": cast,
    "quantise": quantise,
}

"""Products of matrices, attention, recurrences, and products in eight bits."""
import numpy as np

OPERATIONS = 3e8


def size(draw):
    return draw.near(1, 4, 8, 16, 33, 49, 64, 100, 128, 197, 256, 384, 512, 768, 1024, 2048, 3072)


def sizes(draw, batch=1):
    """Rows, depth and columns, the largest halved until their product is at most `OPERATIONS`."""
    found = [size(draw) for _ in range(3)]
    while batch * np.prod(found) > OPERATIONS:
        largest = int(np.argmax(found))
        found[largest] = (found[largest] + 1) // 2
    return found


def by_constant(draw, graph):
    """A linear layer."""
    rows, depth, columns = sizes(draw)
    shape = draw.pick((rows, depth), (1, rows, depth), (1, 1, rows, depth))
    weights = graph.constant(draw.weights(depth, columns, inputs=depth))
    value = graph("MatMul", graph.input(draw.numbers(*shape)), weights)
    if draw.chance(0.6):
        value = graph("Add", value, graph.constant(draw.numbers(columns)))
    kind = draw.pick("", "", "Relu", "Gelu", "Tanh")
    return graph(kind, value) if kind else value


def vector(draw, graph):
    """A row by a matrix."""
    depth, columns = draw.near(256, 512, 768, 1024, 2048), draw.near(100, 512, 1000, 2048, 3072)
    matrix = draw.weights(depth, columns, inputs=depth)
    right = graph.input(matrix) if draw.chance(0.4) else graph.constant(matrix)
    return graph("MatMul", graph.input(draw.numbers(draw.pick(1, 1, 2, 3), depth)), right)


def by_run_time(draw, graph):
    batch = draw.pick((), (), (1,), (draw.near(6, 12, 16),), (1, draw.near(3, 8, 12)), (2, 3))
    rows, depth, columns = sizes(draw, int(np.prod(batch)))
    left = graph.input(draw.numbers(*batch, rows, depth, scale=depth**-0.5))
    if batch and draw.chance(0.2):
        return graph("MatMul", left, graph.input(draw.numbers(depth, columns)))
    if draw.chance(0.4):
        rank = len(batch) + 2
        right = graph.input(draw.numbers(*batch, columns, depth))
        return graph("MatMul", left, graph("Transpose", right, perm=[*range(rank - 2), rank - 1, rank - 2]))
    return graph("MatMul", left, graph.input(draw.numbers(*batch, depth, columns)))


def gemm(draw, graph):
    rows, depth, columns = sizes(draw)
    across, down = draw.pick(0, 0, 1), draw.pick(0, 1)
    left = graph.input(draw.numbers(*((depth, rows) if across else (rows, depth))))
    matrix = draw.weights(*((columns, depth) if down else (depth, columns)), inputs=depth)
    right = graph.input(matrix) if draw.chance(0.4) else graph.constant(matrix)
    spread = draw.pick((columns,), (rows, columns), (rows, 1))
    bias = [] if draw.chance(0.3) else [graph.constant(draw.numbers(*spread))]
    attributes = {"alpha": draw.pick(1.0, 1.0, 0.5), "beta": draw.pick(1.0, 1.0, 2.0)}
    return graph("Gemm", left, right, *bias, transA=across, transB=down, **attributes)


def other_types(draw, graph):
    """Doubles, whole numbers, half precision."""
    rows, depth, columns = (min(value, 256) for value in sizes(draw))
    kind = draw.pick(np.float64, np.int32, np.float16)
    spread = 30 if kind == np.int32 else depth**-0.5
    left = graph.input((draw.numbers(rows, depth) * spread).astype(kind))
    matrix = (draw.numbers(depth, columns) * (spread if kind == np.int32 else 1)).astype(kind)
    return graph("MatMul", left, graph.constant(matrix) if draw.chance(0.5) else graph.input(matrix))


def einsum(draw, graph):
    batch, heads = draw.pick(1, 1, 2), draw.near(2, 4, 8, 12)
    i, j, d = draw.near(16, 49, 64, 128, 200), draw.near(16, 49, 64, 128, 200), draw.near(16, 32, 64)
    extents = dict(b=batch, h=heads, i=i, j=j, d=d, c=draw.near(16, 64))
    equation = draw.pick(
        "bhid,bhjd->bhij", "bhij,bhjd->bhid", "bihd,bjhd->bhij", "bhij,bjhd->bihd", "bcij,cd->bdij", "bid,bjd->bij",
        "bijc,dc->bijd", "ij,j->i", "bhid,hjd->bhij", "ijc,ijd->icd",
    )
    operands = equation.split("->")[0].split(",")
    values = [draw.numbers(*(extents[letter] for letter in letters), scale=0.2) for letters in operands]
    return graph("Einsum", *map(graph.input, values), equation=equation)


def attention(draw, graph):
    heads, width = draw.near(1, 3, 6, 8, 12), draw.near(16, 32, 40, 64, 80)
    rows = draw.near(1, 16, 49, 100, 197, 256, 400)
    keys = draw.pick(rows, rows, draw.near(7, 77, 150, 300))
    lead = draw.pick((1, heads), (1, heads), (heads,))
    query, key, value = (graph.input(draw.numbers(*lead, count, width)) for count in (rows, keys, keys))
    place, scale = draw.pick("before", "after", "after", "none"), graph.constant(np.float32(width**-0.5))
    if place == "before":
        query = graph("Mul", query, scale)
    rank = len(lead) + 2
    scores = graph("MatMul", query, graph("Transpose", key, perm=[*range(rank - 2), rank - 1, rank - 2]))
    if place == "after":
        scores = graph("Mul", scores, scale)
    mask = draw.pick("", "", "keys", "bias", "causal")
    if mask == "keys":
        scores = graph("Add", scores, graph.input(draw.numbers(*[1] * (rank - 1), keys)))
    elif mask == "bias":
        scores = graph("Add", scores, graph.input(draw.numbers(*lead, rows, keys)))
    elif mask == "causal":
        hidden = graph.constant(np.triu(np.ones((rows, keys), bool), 1))
        scores = graph("Where", hidden, graph.constant(np.float32(-1e30)), scores)
    return graph("MatMul", graph("Softmax", scores, axis=-1), value)


def recurrence(draw, graph):
    operator, gates = draw.pick(("LSTM", 4), ("LSTM", 4), ("GRU", 3), ("GRU", 3), ("RNN", 1))
    steps, batch = draw.near(1, 20, 50, 100), draw.pick(1, 1, 2, 4, 7, 16)
    hidden, inputs = draw.near(32, 64, 100, 128, 256), draw.near(16, 40, 64, 128, 256)
    while steps * batch * gates * hidden * (hidden + inputs) > OPERATIONS and steps > 1:
        steps = (steps + 1) // 2
    directions = draw.pick(1, 1, 2)
    data = graph.input(draw.numbers(steps, batch, inputs))
    weights = graph.constant(draw.weights(directions, gates * hidden, inputs, inputs=inputs))
    state = graph.constant(draw.weights(directions, gates * hidden, hidden, inputs=hidden))
    bias = graph.constant(draw.numbers(directions, 2 * gates * hidden, scale=0.1))
    given = [graph.input(np.full(batch, max(1, steps // 2), np.int32))] if draw.chance(0.2) else []
    attributes = {"linear_before_reset": draw.pick(0, 1)} if operator == "GRU" else {}
    direction = "bidirectional" if directions == 2 else draw.pick("forward", "forward", "reverse")
    outputs = 3 if operator == "LSTM" else 2
    return graph(
        operator, data, weights, state, bias, *given, outputs=outputs, hidden_size=hidden, direction=direction,
        **attributes,
    )[0]


def eight_bits(draw, graph):
    """A product or a convolution between codes, or integers alone."""
    rows, depth, columns = (min(value, 512) for value in sizes(draw))
    codes = draw.generator.integers(-127, 128, (depth, columns)).astype(np.int8)
    if draw.chance(0.4):
        data = draw.generator.integers(0, 256, (rows, depth)).astype(np.uint8)
        return graph("MatMulInteger", graph.input(data), graph.constant(codes))
    step, zero = graph.constant(np.float32(0.03)), graph.constant(np.uint8(128))
    data = graph("QuantizeLinear", graph.input(draw.numbers(rows, depth)), step, zero)
    data = graph("DequantizeLinear", data, step, zero)
    weights = graph("DequantizeLinear", graph.constant(codes), graph.constant(np.float32(0.01)))
    result = graph("MatMul", data, weights)
    wide = graph.constant(np.float32(0.01 * depth**0.5))
    return graph("DequantizeLinear", graph("QuantizeLinear", result, wide, zero), wide, zero)


def quantised_convolution(draw, graph):
    channels, filters, extent = draw.near(16, 32, 64, 128), draw.near(16, 32, 64, 128), draw.near(14, 28, 56)
    groups = draw.pick(1, 1, 0)
    filters = filters if groups else channels
    depth, width = channels if groups else 1, draw.pick(1, 3)
    codes = draw.generator.integers(-127, 128, (filters, depth, width, width)).astype(np.int8)
    step, zero = graph.constant(np.float32(0.03)), graph.constant(np.uint8(128))
    data = graph("QuantizeLinear", graph.input(draw.numbers(1, channels, extent, extent)), step, zero)
    data = graph("DequantizeLinear", data, step, zero)
    steps = graph.constant(np.full(filters, 0.01, np.float32))
    zeros = graph.constant(np.zeros(filters, np.int8))
    weights = graph("DequantizeLinear", graph.constant(codes), steps, zeros, axis=0)
    result = graph("Conv", data, weights, group=groups or channels, pads=[width // 2] * 4)
    wide = graph.constant(np.float32(0.05 * (depth * width * width) ** 0.5))
    return graph("DequantizeLinear", graph("QuantizeLinear", result, wide, zero), wide, zero)


FAMILIES = {
    "product-by-constant": by_constant,
    "product-vector": vector,
    "product-by-run-time": by_run_time,
    "gemm": gemm,
    "product-other-types": other_types,
    "einsum": einsum,
    "attention": attention,
    "recurrence": recurrence,
    "eight-bits": eight_bits,
    "eight-bits-conv": quantised_convolution,
}

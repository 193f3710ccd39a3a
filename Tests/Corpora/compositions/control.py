"""Branches, loops, scans, sequences and functions."""

import numpy as np
from onnx import TensorProto, helper

from . import elementwise
from .graph import Graph, Refused, type_info


def body(g, given, inputs=()):
    """A graph within `g` on a few of its values, `given` and `inputs`, with a few nodes drawn."""
    inner = Graph(g.rng, g.opset, prefix=f"{g.name('b')}_")
    inner.values, inner.exact, inner.functions = dict(given), set(given) & g.exact, g.functions
    for _ in range(g.integer(1, 3)):
        recipe = g.choose([elementwise.unary, elementwise.binary, elementwise.where, elementwise.clip])
        saved = dict(inner.values), list(inner.nodes), dict(inner.initializers), list(inner.inputs)
        try:
            recipe(inner)
            if inner.inputs:
                raise Refused
        except Refused:
            inner.values, inner.nodes, inner.initializers, inner.inputs = saved
    return inner


def close_body(inner, name, inputs, outputs):
    from onnx import numpy_helper

    tensors = [numpy_helper.from_array(value, key) for key, value in inner.initializers.items()]
    infos = [type_info(key, inner.values[key]) for key in inputs]
    results = []
    for place, key in enumerate(outputs):
        alias = f"{inner.prefix}out{place}"
        inner.nodes.append(helper.make_node("Identity", [key], [alias]))
        results.append(type_info(alias, inner.values[key], [f"{alias}_{a}" for a in range(inner.values[key].ndim)]))
    return helper.make_graph(inner.nodes, name, infos, results, tensors)


def some(g, count=2):
    return {name: g.values[name] for name in [g.any() for _ in range(count)]}


def branch(g):
    condition = g.pick(lambda v: v.dtype == bool and v.size == 1 and v.ndim == 0, lambda: np.asarray(g.chance(0.5)))
    given = some(g)
    kind = g.choose(sorted({v.dtype for v in given.values()}, key=str))
    graphs = []
    for name in ("then", "else"):
        inner = body(g, given)
        fits = [key for key, value in inner.values.items() if value.dtype == kind]
        ranks = [key for key in fits if not graphs or inner.values[key].shape == shape]
        key = (ranks or fits)[-1]
        shape = inner.values[key].shape
        graphs.append(close_body(inner, name, [], [key]))
    g.node("If", condition, then_branch=graphs[0], else_branch=graphs[1])


def loop(g):
    """Carries one value, stacks another; may read what is around it."""
    trips = g.integer(1, 4)
    x = g.any()
    given = {**some(g, 1), x: g.values[x]}
    inner = body(g, given)
    state = f"{inner.prefix}state"
    step, go = f"{inner.prefix}step", f"{inner.prefix}go"
    value = g.values[x]
    inner.values.update({state: value, step: np.asarray(0, np.int64), go: np.asarray(True)})
    fits = [k for k, v in inner.values.items() if v.dtype == value.dtype and v.shape == value.shape and k != state]
    if value.dtype == bool:
        carried = inner.node("Xor", state, fits[-1])
    else:
        index = inner.node("Cast", step, to=helper.np_dtype_to_tensor_dtype(value.dtype), exact=True)
        carried = inner.node(
            "Add", inner.node(g.choose(["Add", "Sub", "Max"]), state, fits[-1], exact=True), index, exact=True
        )
    stacked = g.choose([k for k in inner.values if k not in (step, go)])
    graph = close_body(inner, "body", [step, go, state], [go, carried, stacked])
    count = g.constant(trips, np.int64) if g.chance(0.7) else g.input(np.asarray(trips, np.int64))
    g.node("Loop", count, g.constant(True) if g.chance(0.5) else "", x, outputs=2, body=graph)


def scan(g):
    x = g.any(at_least=1)
    axis = g.axis(x)
    value = g.values[x]
    if value.shape[axis] == 0:
        raise Refused
    row = np.asarray(np.take(value, 0, axis))
    inner = body(g, some(g, 1))
    state, slot = f"{inner.prefix}state", f"{inner.prefix}row"
    inner.values.update({state: row, slot: row})
    carried = inner.node("Or" if row.dtype == bool else g.choose(["Add", "Max", "Min"]), state, slot, exact=True)
    stacked = g.choose([k for k in inner.values])
    graph = close_body(inner, "body", [state, slot], [carried, stacked])
    start = g.constant(g.data(value.dtype, row.shape))
    g.node(
        "Scan",
        start,
        x,
        outputs=2,
        body=graph,
        num_scan_inputs=1,
        scan_input_axes=[axis] if axis else None,
        scan_input_directions=[1] if g.chance(0.3) else None,
        scan_output_directions=[1] if g.chance(0.3) else None,
    )


def sequence(g):
    """Made from parts or tensors, changed, and joined or asked for one."""
    x = g.any(at_least=1)
    axis = g.axis(x)
    extent = g.values[x].shape[axis]
    kind = g.choose(["equal", "unequal", "single", "made", "empty"])
    if kind == "equal":
        s = g.node("SplitToSequence", x, g.constant(g.integer(1, 3), np.int64), axis=axis, exact=True)
    elif kind == "unequal" and extent > 1:
        cut = g.integer(1, extent - 1)
        s = g.node("SplitToSequence", x, g.integers(cut, extent - cut), axis=axis, exact=True)
    elif kind == "single":
        s = g.node("SplitToSequence", x, axis=axis, keepdims=g.integer(0, 1), exact=True)
    elif kind == "empty":
        s = g.node("SequenceEmpty", dtype=helper.np_dtype_to_tensor_dtype(g.values[x].dtype))
        s = g.node("SequenceInsert", s, x, exact=True)
    else:
        s = g.node("SequenceConstruct", x, x, exact=True)
    for _ in range(g.integer(0, 3)):
        length = len(g.values[s])
        place = g.constant(g.integer(-length, max(0, length - 1)), g.choose([np.int64, np.int32]))
        action = g.choose(["insert", "erase", "at", "end"])
        if action == "insert" or action == "end":
            s = g.node(
                "SequenceInsert",
                s,
                g.node("SequenceAt", s, place, exact=True),
                place if action == "insert" else "",
                exact=True,
            )
        elif action == "erase" and length > 1:
            s = g.node("SequenceErase", s, place if g.chance(0.7) else "", exact=True)
        else:
            g.node("SequenceAt", s, place, exact=True)
    end = g.choose(["concat", "stack", "length"])
    if end == "length":
        return g.node("SequenceLength", s)
    g.node(
        "ConcatFromSequence",
        s,
        axis=axis if end == "concat" else g.integer(0, 1),
        new_axis=int(end == "stack"),
        exact=True,
    )


def function(g):
    """A function of the model's own, of an attribute and two operands, called once or twice."""
    x = g.floats(dtype=np.float32)
    y = elementwise.partner(g, x)
    name = g.name("Blend")
    nodes = [
        helper.make_node("Constant", [], ["a"]),
        helper.make_node("Mul", ["x", "a"], ["s"]),
        helper.make_node(g.choose(["Add", "Sub", "Max"]), ["s", "y"], ["t"]),
        helper.make_node(g.choose(["Relu", "Abs", "Tanh"]), ["t"], ["z"]),
    ]
    reference = nodes[0].attribute.add()
    reference.name, reference.ref_attr_name, reference.type = ("value_float", "factor", 1)
    opsets = [helper.make_opsetid("", g.opset)]
    g.functions.append(helper.make_function("local", name, ["x", "y"], ["z"], nodes, opsets, ["factor"]))
    try:
        z = g.node(name, x, y, domain="local", factor=0.5)
    except Refused:
        g.functions.pop()
        raise
    if g.chance(0.4):
        g.node(name, z, y, domain="local", factor=2.0)


RECIPES = [(branch, 1.5), (loop, 1.5), (scan, 1), (sequence, 2), (function, 0.7)]

"""Networks whose types follow from numbers that constants and shapes give: loops that change ranks, slices whose masks
are inputs, transposed convolutions that are given their extents. All are drawn from a seed."""

import itertools

import numpy as np

from control_networks import copied, inside

draw = np.random.RandomState(7)


def add(network, save, rand):
    loops(network, save, rand)
    nested_loops(network, save, rand)
    slices(network, save, rand)
    planes(network, save, rand)
    volumes(network, save, rand)


# MARK: Loops


def more_axes(part):
    """y → y and 1, with an axis more."""
    part.add_expand_dims("wide", "y", "wide", [0])
    part.add_activation("more", "LINEAR", "wide", "more", [1.0, 1.0])
    copied(part, "more", "y")


def fewer_axes(part):
    """y → sums along its first axis."""
    part.add_reduce_sum("sum", "y", "sum", axes=[0], keepdims=False)
    copied(part, "sum", "y")


def halves(part):
    """y → the first half of its rows and the others, joined by an axis."""
    part.add_split_nd("split", "y", ["first", "second"], axis=-2, num_splits=2)
    part.add_stack("stack", ["first", "second"], "stack", axis=0)
    copied(part, "stack", "y")


BODIES = {
    "more": (more_axes, (2, 3), lambda y: y[None] + 1),
    "fewer": (fewer_axes, (2, 3, 2, 2, 1), lambda y: y.sum(0)),
    "halves": (halves, (8, 3), lambda y: np.stack(np.split(y, 2, -2))),
}


def counted(part):
    part.add_activation("next", "LINEAR", "count", "next", [1.0, 1.0])
    copied(part, "next", "count")


def left(part, rounds):
    """Ends the loop when the counter is `rounds`."""
    part.add_equal("last", ["count"], "is_last", alpha=float(rounds))
    leave = part.add_branch("leave", "is_last")
    leave.branch.ifBranch.CopyFrom(inside(part, lambda own: own.add_loop_break("break")))


def loops(network, save, rand):
    forms = ["limit", "input", "condition", "both", "break"]
    for form, name, rounds in itertools.product(forms, BODIES, [0, 1, 3]):
        if rounds == 0 and form in ("limit", "break") or draw.rand() > 0.5 and rounds != 3:
            continue
        body, shape, step = BODIES[name]
        builder = network({"x": shape}, ["y"])
        builder.add_copy("start", "x", "y")
        builder.add_load_constant_nd("zero", "count", np.zeros(1, np.float32), (1,))
        options = {
            "limit": {"max_iterations": rounds}, "input": {"input_name": "rounds"}, "break": {"max_iterations": 50},
            "condition": {"condition": "goes_on"}, "both": {"condition": "goes_on", "max_iterations": 50},
        }[form]
        if form == "input":
            builder.add_load_constant_nd("rounds", "rounds", np.float32([rounds]), (1,))
        loop = builder.add_loop("loop", **options).loop

        def whole(part):
            body(part)
            counted(part)
            if form == "break":
                left(part, rounds)

        loop.bodyNetwork.CopyFrom(inside(builder, whole))
        if form in ("condition", "both"):
            loop.conditionNetwork.CopyFrom(inside(builder, lambda part: part.add_less_than(
                "test", ["count"], "goes_on", alpha=float(rounds))))
        x = rand(*shape)
        y = x
        for _ in range(rounds):
            y = step(y)
        save(f"loop_rank_{form}_{name}_{rounds}", builder, [x], [y])


def nested_loops(network, save, rand):
    """Rounds that are written out within a loop that runs as often as an input says."""
    builder = network({"x": (2, 3), "count": (1,)}, ["y"])
    builder.add_copy("start", "x", "y")

    def outer(part):
        part.add_loop("inner", max_iterations=2).loop.bodyNetwork.CopyFrom(inside(part, more_axes))
        part.add_squeeze("narrow", "y", "narrow", axes=[0, 1])
        copied(part, "narrow", "y")

    builder.add_loop("outer", input_name="count").loop.bodyNetwork.CopyFrom(inside(builder, outer))
    x = rand(2, 3)
    save("loop_rank_inside", builder, [x, np.float32([4])], [x + 8])


# MARK: Slices


def sliced(x, begin, end, stride, begin_mask, end_mask, squeeze_mask):
    at = []
    for axis in range(x.ndim):
        first = None if begin_mask[axis] else begin[axis]
        last = None if end_mask[axis] else end[axis]
        at.append(begin[axis] if squeeze_mask[axis] else slice(first, last, stride[axis]))
    result = x[tuple(at)]
    return result.reshape(1) if result.ndim == 0 else result


def slices(network, save, rand):
    """From two inputs to all seven; masks from constants, from what layers make of these, and from the shape of x."""
    shape = (4, 5, 6)
    for count, source in itertools.product(range(2, 8), ["constant", "layers", "shape"]):
        if count < 5 and source != "constant":
            continue
        stride = [int(v) for v in draw.choice([1, 2, -1], 3)]
        begin = [int(draw.randint(0, 2)) if s > 0 else int(draw.randint(2, 4)) for s in stride]
        end = [int(draw.randint(3, 5)) if s > 0 else int(draw.randint(-4, -2)) for s in stride]
        # A mask that a shape gives: the axes of more than four, five or three elements.
        masks = [[int(extent > least) for extent in shape] for least in (4, 5, 5)]
        if source != "shape":
            masks = [[int(v) for v in draw.randint(0, 2, 3)] for _ in range(3)]
        inputs = [begin, end, stride, *masks]
        builder = network({"x": shape, **{f"i{k}": (3,) for k in range(min(count - 1, 3))}}, ["y"])
        names = ["x"] + [f"i{k}" for k in range(count - 1)]
        builder.add_get_shape("shape", "x", "shape")
        for k in range(3, count - 1):
            if source == "constant":
                builder.add_load_constant_nd(f"c{k}", f"i{k}", np.float32(inputs[k]), (3,))
            elif source == "layers":
                builder.add_load_constant_nd(f"c{k}", f"c{k}", np.float32(inputs[k]) * 2 - 1, (3,))
                builder.add_greater_than(f"g{k}", [f"c{k}"], f"i{k}", alpha=0.0)
            else:
                builder.add_greater_than(f"g{k}", ["shape"], f"i{k}", alpha=float((4, 5, 5)[k - 3]))
        own = {"end_ids": end, "strides": stride}
        own.update(zip(["begin_masks", "end_masks", "squeeze_masks"], masks))
        builder.add_slice_dynamic("slice", names, "y", **{
            key: [bool(v) for v in value] if "mask" in key else value for key, value in own.items()})
        x = rand(*shape)
        save(f"slice_known_{count}_{source}", builder, [x] + [np.float32(v) for v in inputs[:min(count - 1, 3)]],
             [sliced(x, *inputs)])


# MARK: Transposed convolutions


def transposed(x, w, strides, dilations, starts, wanted):
    """Every element times the kernel, added up where it falls; `wanted` elements from `starts` on."""
    kernel = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations)]
    room = [(n - 1) * s + k + 8 for n, s, k in zip(x.shape[2:], strides, kernel)]
    y = np.zeros((x.shape[0], w.shape[1], *room))
    for place in np.ndindex(*x.shape[2:]):
        for tap in np.ndindex(*w.shape[2:]):
            at = tuple(i * s + k * d for i, s, k, d in zip(place, strides, tap, dilations))
            y[(..., *at)] += x[(..., *place)] @ w[(..., *tap)]
    return y[(..., *(slice(a, a + n) for a, n in zip(starts, wanted)))]


def planes(network, save, rand):
    """What is too much goes from both ends, an odd element from the end; what is missing is added there."""
    for number in range(10):
        kernel, strides = draw.randint(2, 5, 2), draw.randint(1, 4, 2)
        extents = draw.randint(2, 5, 2)
        surplus = np.array([draw.randint(1 - s, k + 1) for s, k in zip(strides, kernel)])
        if number == 0:
            surplus = np.maximum(surplus, 1) | 1
        whole = (extents - 1) * strides + kernel
        surplus = np.minimum(surplus, whole - 1)
        x, w = rand(1, 3, *extents), rand(3, 2, *kernel)
        wanted = [int(v) for v in whole - surplus]
        builder = network({"x": x.shape}, ["y"])
        builder.add_convolution(
            "c", 3, 2, *(int(k) for k in kernel), *(int(s) for s in strides), "valid", 1, w.transpose(2, 3, 0, 1), None,
            False, is_deconv=True, output_shape=wanted, input_name="x", output_name="y")
        save(f"deconv_shaped_{number}", builder, [x],
             [transposed(x, w, strides, [1, 1], np.maximum(surplus, 0) // 2, wanted)])


def volumes(network, save, rand):
    """Padding of each kind beside the shape that coremltools makes of it."""
    for mode, number in itertools.product(["valid", "custom", "same"], range(3)):
        kernel, strides, dilations = draw.randint(2, 4, 3), draw.randint(1, 3, 3), draw.randint(1, 3, 3)
        extents = draw.randint(2, 4, 3)
        dilated = (kernel - 1) * dilations + 1
        pads = draw.randint(0, 2, (3, 2)) if mode == "custom" else np.zeros((3, 2), int)
        whole = (extents - 1) * strides + dilated
        surplus = pads.sum(1)
        starts = pads[:, 0]
        if mode == "same":
            surplus = dilated - strides
            starts = np.maximum(surplus, 0) // 2
        x, w = rand(1, 3, *extents), rand(3, 2, *kernel)
        wanted = [int(v) for v in whole - surplus]
        sides = dict(zip(["front", "back", "top", "bottom", "left", "right"], pads.reshape(-1)))
        builder = network({"x": x.shape}, ["y"])
        options = {f"padding_{side}": int(pad) for side, pad in sides.items()}
        for axis, stride, dilation in zip(["depth", "height", "width"], strides, dilations):
            options.update({f"stride_{axis}": int(stride), f"dilation_{axis}": int(dilation)})
        builder.add_convolution3d(
            "c", 3, 2, *(int(k) for k in kernel), w.transpose(1, 0, 2, 3, 4), None, False, is_deconv=True,
            output_shape=wanted, padding_mode=mode, input_name="x", output_name="y", **options)
        save(f"deconv3d_{mode}_{number}", builder, [x], [transposed(x, w, strides, dilations, starts, wanted)])

"""Forms of layers that coremltools writes where it converts programs to networks."""

import numpy as np

from control_networks import inside


def add(network, save, rand):
    unary(network, save, rand)
    scattered(network, save, rand)
    states(network, save, rand)
    factors(network, save, rand)
    filled(network, save, rand)
    known_branches(network, save, rand)


def unary(network, save, rand):
    for number, epsilon in enumerate([0.1, 1.0, 1e-45]):
        x = np.abs(rand(2, 3)) + 0.01
        builder = network({"x": x.shape}, ["y"])
        builder.add_unary("log", "x", "y", "log", epsilon=epsilon)
        save(f"log_epsilon_{number}", builder, [x], [np.log(x + epsilon)])


def scattered(network, save, rand):
    """Places of any rank, whose axes the slices have instead of the data's; slices with axes of 1 in front."""
    for axis in range(3):
        shape = [3, 5, 4]
        # Where slices replace others, each is at a place of its own.
        for mode, places in [("UPDATE", np.array([[2], [0]])), ("ADD", np.array([[2, 0], [1, 2]]))]:
            x, updates = rand(*shape), rand(*shape[:axis], *places.shape, *shape[axis + 1:])
            builder = network({"x": shape, "places": places.shape, "updates": updates.shape}, ["y"])
            builder.add_scatter("s", ["x", "places", "updates"], "y", axis=axis, mode=mode)
            y = x.copy()
            for at in np.ndindex(*places.shape):
                row = updates[(slice(None),) * axis + at]
                target = y[(slice(None),) * axis + (places[at],)]
                target[...] = target + row if mode == "ADD" else row
            save(f"scatter_matrix_{axis}_{mode.lower()}", builder, [x, places.astype(np.float32), updates], [y])
    x, row = rand(4, 3), rand(1, 1, 3)
    builder = network({"x": x.shape, "place": (1,), "row": row.shape}, ["y"])
    builder.add_scatter("s", ["x", "place", "row"], "y", axis=0)
    y = x.copy()
    y[2] = row
    save("scatter_row", builder, [x, np.float32([2]), row], [y])


def states(network, save, rand):
    """A state of two axes that is expanded behind them."""
    for batch, width in [(2, 5), (1, 1), (3, 1), (1, 4)]:
        x, state = rand(4, batch, 3), rand(batch, width)
        w, r, bias = rand(width, 3), rand(width, width), rand(width)
        builder = network({"x": (4, batch, 3, 1, 1), "h": (batch, width, 1, 1, 1)}, ["y", "last"])
        if width == 1:
            builder = network({"x": (4, batch, 3, 1, 1), "h": (1, batch, width, 1, 1)}, ["y", "last"])
        builder.add_simple_rnn("rnn", r, w, bias, width, 3, "TANH", ["x", "h"], ["y", "last"], output_all=True)
        h, steps = state, []
        for step in x:
            h = np.tanh(step @ w.T + h @ r.T + bias)
            steps.append(h)
        form = (batch, width, 1, 1, 1) if width > 1 else (1, batch, width, 1, 1)
        save(f"rnn_state_{batch}_{width}", builder, [x.reshape(4, batch, 3, 1, 1), state.reshape(form)],
             [np.stack(steps).reshape(4, batch, width, 1, 1), h.reshape(1, batch, width, 1, 1)])


def factors(network, save, rand):
    """Between pixels, whose distance is the ratio of the extents where factors are no whole numbers."""
    def line(count, factor, corners):
        wanted = int(np.float32(factor) * np.float32(count) + 1e-6)
        places = np.arange(wanted)
        if corners:
            places = places * (count - 1) / max(1, wanted - 1)
        else:
            places = (places + 0.5) * count / wanted - 0.5
        places = np.clip(places, 0, count - 1)
        low = np.floor(places).astype(int)
        high = np.minimum(low + 1, count - 1)
        matrix = np.zeros((wanted, count))
        for row, (a, b, place) in enumerate(zip(low, high, places)):
            matrix[row, a] += 1 - (place - a)
            matrix[row, b] += place - a
        return matrix

    for number, (height, width) in enumerate([(1.0, 2.6), (2.5, 2.0), (0.75, 1.3), (1.6, 0.5)]):
        for corners in [True, False]:
            x = rand(1, 2, 5, 4)
            builder = network({"x": x.shape}, ["y"])
            builder.add_upsample("u", height, width, "x", "y", "BILINEAR",
                                 "ALIGN_CORNERS_TRUE" if corners else "ALIGN_CORNERS_FALSE")
            save(f"upsample_factors_{number}_{int(corners)}", builder, [x],
                 [np.einsum("yh,nchw,xw->ncyx", line(5, height, corners), x, line(4, width, corners))])


def filled(network, save, rand):
    """Lists of `sliceDynamic` that are not given have five elements, whatever the rank."""
    x = rand(4, 5, 6)
    builder = network({"x": x.shape, "begin": (3,), "end": (3,)}, ["y"])
    builder.add_slice_dynamic("slice", ["x", "begin", "end"], "y")
    save("slice_filled", builder, [x, np.float32([1, 0, -3]), np.float32([3, -1, 6])], [x[1:3, :-1, 3:]])


def known_branches(network, save, rand):
    """Of two sides that give different ranks the shape of x chooses one."""
    for number, shape in enumerate([(2, 3), (4, 3)]):
        builder = network({"x": shape}, ["y"])
        builder.add_get_shape("shape", "x", "shape")
        builder.add_slice_static("rows", "shape", "rows", [0], [1], [1], [False], [False])
        builder.add_greater_than("many", ["rows"], "many", alpha=3.0)
        branch = builder.add_branch("branch", "many").branch
        branch.ifBranch.CopyFrom(inside(builder, lambda part: part.add_expand_dims("wide", "x", "y", [0])))
        branch.elseBranch.CopyFrom(inside(builder, lambda part: part.add_reduce_sum(
            "sum", "x", "y", [0], keepdims=False)))
        x = rand(*shape)
        save(f"branch_known_{number}", builder, [x], [x[None] if number else x.sum(0)])

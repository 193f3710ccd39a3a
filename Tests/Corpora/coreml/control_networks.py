"""Networks with branches, loops, regions, boxes, random numbers and custom layers."""

import numpy as np
from coremltools.models.neural_network import NeuralNetworkBuilder
from coremltools.proto import NeuralNetwork_pb2

from program_cases import region_answers


def inside(builder, build):
    """The layers that `build` adds, as a network of its own inside of the builder's."""
    network = NeuralNetwork_pb2.NeuralNetwork()
    part = NeuralNetworkBuilder(nn_spec=network, disable_rank5_shape_mapping=True)
    build(part)
    return network


def copied(part, source, goal):
    part.add_copy(f"{source}_to_{goal}", source, goal)


def add(network, save, rand):
    branches(network, save, rand)
    loops(network, save, rand)
    others(network, save, rand)
    cells(network, save, rand)


def branches(network, save, rand):
    for name, flag in [("then", 1.0), ("else", 0.0)]:
        builder = network({"x": (2, 3), "flag": (1,)}, ["y", "z"])
        builder.add_unary("start", "x", "z", "abs")
        branch = builder.add_branch("branch", "flag")

        def then(part):
            part.add_activation("negative", "LINEAR", "x", "y", [-1.0, 0.5])
            part.add_activation("more", "LINEAR", "z", "more", [2.0, 0.0])
            copied(part, "more", "z")

        def other(part):
            part.add_activation("positive", "LINEAR", "x", "y", [3.0, 0.0])

        branch.branch.ifBranch.CopyFrom(inside(builder, then))
        branch.branch.elseBranch.CopyFrom(inside(builder, other))
        x = rand(2, 3)
        save(f"branch_{name}", builder, [x, np.float32([flag])], [
            -x + 0.5 if flag else 3 * x, np.abs(x) * 2 if flag else np.abs(x)])


def loops(network, save, rand):
    x = rand(2, 3)

    def doubled(part):
        part.add_activation("double", "LINEAR", "y", "twice", [1.5, 0.25])
        copied(part, "twice", "y")

    def powers(count):
        y = x
        for _ in range(count):
            y = 1.5 * y + 0.25
        return y

    builder = network({"x": (2, 3)}, ["y"])
    builder.add_copy("first", "x", "y")
    loop = builder.add_loop("loop", max_iterations=4)
    loop.loop.bodyNetwork.CopyFrom(inside(builder, doubled))
    save("loop_fixed", builder, [x], [powers(4)])

    builder = network({"x": (2, 3), "count": (1,)}, ["y"])
    builder.add_copy("first", "x", "y")
    loop = builder.add_loop("loop", input_name="count")
    loop.loop.bodyNetwork.CopyFrom(inside(builder, doubled))
    save("loop_counted", builder, [x, np.float32([3])], [powers(3)])

    # A condition, and rows that grow from round to round.
    builder = network({"x": (2, 3)}, ["y", "count"])
    builder.add_copy("first", "x", "y")
    builder.add_load_constant_nd("zero", "count", np.zeros(1, np.float32), (1,))
    loop = builder.add_loop("loop", condition="goes_on")

    def condition(part):
        part.add_less_than("test", ["count"], "goes_on", alpha=3.0)

    def grown(part):
        part.add_concat_nd("grow", ["y", "x"], "longer", 0)
        copied(part, "longer", "y")
        part.add_activation("next", "LINEAR", "count", "more", [1.0, 1.0])
        copied(part, "more", "count")

    loop.loop.conditionNetwork.CopyFrom(inside(builder, condition))
    loop.loop.bodyNetwork.CopyFrom(inside(builder, grown))
    save("loop_growing", builder, [x], [np.concatenate([x] * 4), np.float32([3])])

    # Rounds that end early, and a loop that is left: 1, 2 and 4 are added, 3 is passed over, at 5 it is left.
    builder = network({"x": (2, 3)}, ["y", "count"])
    builder.add_copy("first", "x", "y")
    builder.add_load_constant_nd("zero", "count", np.zeros(1, np.float32), (1,))
    loop = builder.add_loop("loop", max_iterations=100)

    def leaving(part):
        part.add_activation("next", "LINEAR", "count", "more", [1.0, 1.0])
        copied(part, "more", "count")
        part.add_equal("at three", ["count"], "is_three", alpha=3.0)
        skip = part.add_branch("skip", "is_three")
        skip.branch.ifBranch.CopyFrom(inside(part, lambda own: own.add_loop_continue("continue")))
        part.add_equal("at five", ["count"], "is_five", alpha=5.0)
        leave = part.add_branch("leave", "is_five")
        leave.branch.ifBranch.CopyFrom(inside(part, lambda own: own.add_loop_break("break")))
        part.add_add_broadcastable("sum", ["y", "count"], "sum")
        copied(part, "sum", "y")

    loop.loop.bodyNetwork.CopyFrom(inside(builder, leaving))
    save("loop_break_continue", builder, [x], [x + 7, np.float32([5])])

    # A loop in a loop.
    builder = network({"x": (2, 3)}, ["y"])
    builder.add_copy("first", "x", "y")
    outer = builder.add_loop("outer", max_iterations=2)

    def nested(part):
        inner = part.add_loop("inner", max_iterations=2)
        inner.loop.bodyNetwork.CopyFrom(inside(part, doubled))
        part.add_activation("plus", "LINEAR", "y", "plus", [1.0, 1.0])
        copied(part, "plus", "y")

    outer.loop.bodyNetwork.CopyFrom(inside(builder, nested))
    y = x
    for _ in range(2):
        y = 1.5 * (1.5 * y + 0.25) + 0.25 + 1
    save("loop_nested", builder, [x], [y])


def others(network, save, rand):
    x, lengths = rand(2, 5, 3), np.float32([2, 4])
    builder = network({"x": (2, 5, 3), "n": (2,)}, ["y"])
    builder.add_reverse_sequence("r", ["x", "n"], "y", batch_axis=0, seq_axis=1)
    y = x.copy()
    for row, count in enumerate([2, 4]):
        y[row, :count] = x[row, :count][::-1]
    save("reverse_sequence", builder, [x, lengths], [y])

    builder = network({"end": (1,), "start": (1,)}, ["y"])
    builder.add_range_dynamic("r", ["end", "start"], "y", step=2)
    save("range_dynamic", builder, [np.float32([7]), np.float32([0.5])], [np.arange(0.5, 7, 2)])

    x, roi = rand(1, 2, 3, 6, 7), np.float32([[1, 1, 3, 4], [0.5, 2, 4.5, 5.5]]).reshape(2, 1, 4, 1, 1)
    for mode, name in [("STRICT_ALIGN_ENDPOINTS_MODE", "STRICT_ALIGN_CORNERS"), ("ROI_ALIGN_MODE", "OFFSET_CORNERS")]:
        builder = network({"x": x.shape, "roi": roi.shape}, ["y"])
        builder.add_crop_resize("c", ["x", "roi"], "y", 3, 2, mode)
        save(f"crop_resize_{name.lower()}", builder, [x, roi], [np.stack([
            np.stack([region_answers.region(image, box, 3, 2, name) for image in x[0]]) for box in roi.reshape(2, 4)])])
    for mode, name in [("ALIGN_ENDPOINTS_MODE", "ALIGN_CORNERS"), ("ROI_ALIGN_MODE", "OFFSET_CORNERS")]:
        builder = network({"x": (1, 3, 6, 7)}, ["y"])
        builder.add_resize_bilinear("r", "x", "y", 1, 9, mode)
        save(f"resize_bilinear_{name.lower()}", builder, [x[0, :1]], [region_answers.resized(x[0, :1], 1, 9, name)])

    boxes, scores = rand(1, 12, 4) * 5 + 5, rand(1, 12, 3)
    boxes[..., 2:] += 2
    builder = network({"boxes": boxes.shape, "scores": scores.shape}, ["b", "s", "i", "n"])
    builder.add_nms("nms", ["boxes", "scores"], ["b", "s", "i", "n"], 0.3, 0.1, 6, True)
    save("non_maximum_suppression", builder, [boxes, scores], region_answers.suppressed(boxes, scores, 0.3, 0.1, 6, True))

    # Random numbers: near the mean that they should have.
    for name, mean, draw in [
        ("normal", 0.5, lambda b: b.add_random_normal_static("r", "r", (40, 250), mean=0.5, stddev=0.5, seed=3)),
        ("uniform", -0.5, lambda b: b.add_random_uniform_static("r", "r", (40, 250), minval=-2.0, maxval=1.0, seed=4)),
        ("bernoulli", 0.25, lambda b: b.add_random_bernoulli_static("r", "r", (40, 250), prob=0.25, seed=5)),
        ("categorical", 1.3, lambda b: b.add_categorical_distribution("r", "p", "r", 9000, is_logits=False, seed=6)),
    ]:
        builder = network({"p": (1, 3)}, ["y"])
        draw(builder)
        builder.add_reduce_mean("m", "r", "m", axes=[0, 1], keepdims=True, reduce_all=True)
        builder.add_activation("d", "LINEAR", "m", "d", [1.0, -mean])
        builder.add_unary("a", "d", "a", "abs")
        builder.add_less_than("l", ["a"], "l", alpha=0.05)
        builder.add_add_broadcastable("y", ["l", "p"], "y")
        p = np.float32([[0.2, 0.3, 0.5]])
        save(f"random_{name}", builder, [p], [p + 1])


def cells(network, save, rand):
    """Coupled gates, and cells that reach their bound."""
    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    for name, bound, coupled in [("coupled", 50.0, True), ("bounded", 0.3, False)]:
        x = rand(4, 3)
        wi, wh, bias = [rand(5, 3) for _ in range(4)], [rand(5, 5) for _ in range(4)], [rand(5) for _ in range(4)]
        builder = network({"x": (4, 1, 3, 1, 1)}, ["y"])
        builder.add_unilstm(
            "lstm", wh, wi, bias, 5, 3, ["x"], ["y"], output_all=True, cell_clip_threshold=bound,
            coupled_input_forget_gate=coupled)
        h, c, outputs = np.zeros(5), np.zeros(5), []
        for step in x:
            i, f, o, z = [w @ step + r @ h + b for w, r, b in zip(wi, wh, bias)]
            forget = 1 - sigmoid(i) if coupled else sigmoid(f)
            c = np.clip(forget * c + sigmoid(i) * np.tanh(z), -bound, bound)
            h = sigmoid(o) * np.tanh(c)
            outputs.append(h)
        save(f"lstm_{name}", builder, [x.reshape(4, 1, 3, 1, 1)], [np.stack(outputs).reshape(4, 1, 5, 1, 1)])

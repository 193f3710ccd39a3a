"""Networks whose layers take from other layers what most say themselves: amounts, counts, masks, axes; and rare forms."""

import numpy as np

from program_cases import region_answers
from reference import ort


def add(network, save, rand):
    amounts(network, save, rand)
    counts(network, save, rand)
    masks(network, save, rand)
    axes(network, save, rand)
    pools(network, save, rand)
    volumes(network, save, rand)
    directions(network, save, rand)


def amounts(network, save, rand):
    """What `constantPad` shall add, or the extents that it shall reach."""
    x = rand(2, 3)
    for name, given, pads, exact in [
        ("added", [1, 0, 2, 3], [(1, 0), (2, 3)], False),
        ("reached", [5, 0, 0, 4], [(3, 0), (0, 1)], True),
    ]:
        builder = network({"x": x.shape, "amounts": (4,)}, ["y"])
        builder.add_constant_pad("pad", ["x", "amounts"], "y", 1.5, exact)
        save(f"pad_{name}", builder, [x, np.float32(given)], [np.pad(x, pads, constant_values=1.5)])


def counts(network, save, rand):
    x = rand(3, 6)
    for bottom in [False, True]:
        builder = network({"x": x.shape, "k": (1,)}, ["y", "i"])
        builder.add_topk("top", ["x", "k"], ["y", "i"], axis=1, use_bottom_k=bottom)
        order = (x if bottom else -x).argsort(1)[:, :4]
        save(f"topk_computed_{int(bottom)}", builder, [x, np.float32([4])], [np.take_along_axis(x, order, 1), order])

    boxes, scores = rand(1, 12, 4) * 5 + 5, rand(1, 12, 3)
    boxes[..., 2:] += 2
    for count, by_class in [(3, True), (3, False), (15, False)]:
        builder = network(
            {"boxes": boxes.shape, "scores": scores.shape, "overlap": (1,), "least": (1,), "count": (1,)},
            ["b", "s", "i", "n"])
        builder.add_nms(
            "nms", ["boxes", "scores", "overlap", "least", "count"], ["b", "s", "i", "n"], per_class_suppression=by_class)
        inputs = [boxes, scores, np.float32([0.3]), np.float32([0.1]), np.float32([count])]
        save(f"nms_computed_{count}_{int(by_class)}", builder, inputs,
             region_answers.suppressed(boxes, scores, 0.3, 0.1, count, by_class))


def masks(network, save, rand):
    x = rand(5, 6)
    first, last = [1, 1], [3, 4]
    for name, step, begin, end, answer in [
        ("forth", [1, 2], [1, 0], [0, 1], x[:3, 1::2]),
        ("back", [-1, 1], [1, 0], [1, 0], x[::-1, 1:4]),
        ("none", [1, 1], [0, 0], [0, 0], x[1:3, 1:4]),
    ]:
        builder = network({"x": x.shape, "first": (2,), "last": (2,), "step": (2,), "begin": (2,), "end": (2,)}, ["y"])
        builder.add_slice_dynamic("slice", ["x", "first", "last", "step", "begin", "end"], "y")
        save(f"slice_computed_{name}", builder, [x] + [np.float32(v) for v in (first, last, step, begin, end)], [answer])


def axes(network, save, rand):
    x = rand(2, 3, 4)
    for axis in [-1, 0, 1]:
        builder = network({"x": x.shape, "axis": (1,)}, ["y"])
        builder.add_cumsum("sums", ["x", "axis"], "y", exclusive=True)
        save(f"cumsum_axis_{axis}", builder, [x, np.float32([axis])], [np.cumsum(x, axis) - x])


def pools(network, save, rand):
    """Windows that reach past the data, of which roots of sums of squares are taken."""
    for name, extents, kernel, stride, pad in [
        ("past", (7, 8), (3, 2), (2, 3), (0, 0)), ("around", (6, 5), (2, 3), (2, 2), (1, 1)),
        ("dropped", (5, 5), (1, 2), (3, 2), (1, 1)),
    ]:
        x = rand(1, 2, *extents)
        builder = network({"x": x.shape}, ["y"])
        builder.add_pooling("p", *kernel, *stride, "L2", "INCLUDE_LAST_PIXEL", "x", "y",
                            padding_top=pad[0], padding_bottom=pad[0], padding_left=pad[1], padding_right=pad[1])
        sizes = []
        for extent, size, step, around in zip(extents, kernel, stride, pad):
            count = -(-(extent + 2 * around - size) // step) + 1
            sizes.append(count - ((count - 1) * step >= extent + around))
        big = np.pad(x, [(0, 0)] * 2 + [(around, around + size + step) for around, size, step in zip(pad, kernel, stride)])
        y = np.zeros((1, 2, *sizes))
        for i in range(sizes[0]):
            for j in range(sizes[1]):
                window = big[:, :, i * stride[0]:i * stride[0] + kernel[0], j * stride[1]:j * stride[1] + kernel[1]]
                y[:, :, i, j] = np.sqrt(np.sum(window * window, (2, 3)))
        save(f"pool_l2_{name}", builder, [x], [y])


def volumes(network, save, rand):
    """A transposed convolution of three axes that is cut to a shape."""
    x, w = rand(1, 4, 3, 4, 2), rand(4, 3, 3, 3, 2)
    builder = network({"x": x.shape}, ["y"])
    builder.add_convolution3d(
        "c", 4, 3, 3, 3, 2, w.transpose(1, 0, 2, 3, 4), None, False, stride_depth=2, stride_height=1, stride_width=2, is_deconv=True,
        output_shape=[5, 4, 4], input_name="x", output_name="y")
    save("deconv3d_output_shape", builder, [x], [ort("ConvTranspose", x, w, strides=[2, 1, 2], pads=[1, 1, 0, 1, 1, 0])])


def directions(network, save, rand):
    """Two directions with activations of their own."""
    def sigmoid(v):
        return 1 / (1 + np.exp(-v))

    def hard(v):
        return np.clip(0.2 * v + 0.5, 0, 1)

    def run(x, weights, recursions, biases, gate, reverse):
        h, c, outputs = np.zeros(4), np.zeros(4), [None] * len(x)
        for at in (reversed(range(len(x))) if reverse else range(len(x))):
            i, f, o, z = [w @ x[at] + r @ h + b for w, r, b in zip(weights, recursions, biases)]
            c = gate(f) * c + gate(i) * np.tanh(z)
            h = gate(o) * np.tanh(c)
            outputs[at] = h
        return np.stack(outputs), h, c

    x = rand(5, 3)
    parts = [([rand(4, 3) for _ in range(4)], [rand(4, 4) for _ in range(4)], [rand(4) for _ in range(4)]) for _ in range(2)]
    for all_steps in [True, False]:
        builder = network({"x": (5, 1, 3, 1, 1)}, ["y", "h", "c", "k", "d"])
        (wi, wh, b), (mi, mh, mb) = parts
        builder.add_bidirlstm(
            "lstm", wh, wi, b, mh, mi, mb, 4, 3, ["x"], ["y", "h", "c", "k", "d"], output_all=all_steps)
        layer = builder.spec.neuralNetwork.layers[0].biDirectionalLSTM
        layer.activationsBackwardLSTM[0].sigmoidHard.alpha = 0.2
        layer.activationsBackwardLSTM[0].sigmoidHard.beta = 0.5
        forth, back = run(x, *parts[0], sigmoid, False), run(x, *parts[1], hard, True)
        y = np.concatenate([forth[0], back[0]], 1) if all_steps else np.concatenate([forth[1], back[1]])[None]
        states = [state.reshape(1, 1, 4, 1, 1) for state in (forth[1], forth[2], back[1], back[2])]
        save(f"bilstm_activations_{int(all_steps)}", builder, [x.reshape(5, 1, 3, 1, 1)],
             [y.reshape(-1, 1, 8, 1, 1), *states])

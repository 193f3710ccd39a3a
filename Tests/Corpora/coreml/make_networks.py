"""Writes networks.zip: Core ML neural networks, NAME.mlmodel, each with NAME.npz, in_0 … and out_0 … in the model's order.

coremltools makes the models and cannot run them here; the answers are computed without it, by numpy from the formulas of the
format's schema, or by onnxruntime from the operator that the layer is.

usage: make_networks.py
"""

import io
import pathlib
import zipfile

import numpy as np
from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder, flexible_shape_utils
from coremltools.models.neural_network.quantization_utils import quantize_weights
from coremltools.models import MLModel

import computed_networks
import control_networks
import converted_networks
import known_networks
from reference import ort

random = np.random.RandomState(1)
archive = {}


def rand(*shape):
    return random.uniform(-1, 1, shape).astype(np.float32)


def save(name, builder, inputs, answers, legacy=False, spec=None):
    record = {f"in_{index}": value for index, value in enumerate(inputs)}
    answers = [np.asarray(value) for value in answers]
    record.update({f"out_{index}": value if value.dtype.kind == "U" else value.astype(np.float32)
                   for index, value in enumerate(answers)})
    stream = io.BytesIO()
    np.savez(stream, **record)
    archive[f"{name}.mlmodel"] = (spec or builder.spec).SerializeToString()
    archive[f"{name}.npz"] = stream.getvalue()


def network(inputs, outputs, legacy=False, **options):
    """A builder whose inputs have the shapes of the arrays in `inputs`, and whose outputs are named."""
    shapes = [(name, datatypes.Array(*shape)) for name, shape in inputs.items()]
    return NeuralNetworkBuilder(
        shapes,
        [(name, None) for name in outputs] if not legacy else [(name, datatypes.Array(1)) for name in outputs],
        disable_rank5_shape_mapping=not legacy,
        use_float_arraytype=True,
        **options,
    )


def free_outputs(builder):
    """Outputs whose shape the description leaves open."""
    for output in builder.spec.description.output:
        del output.type.multiArrayType.shape[:]


def simple(name, shape, build, answer, legacy=False, x=None, inputs=None):
    """A network of one input x and one output y."""
    x = rand(*shape) if x is None else x
    builder = network({"x": shape}, ["y"], legacy)
    build(builder)
    if legacy:
        free_outputs(builder)
    save(name, builder, [x], [answer(x)])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# MARK: Convolutions and pools


def convolution(builder, weight, bias, deconvolution=False, **options):
    """`weight` as ONNX has it."""
    groups = options.pop("groups", 1)
    out = weight.shape[0] if not deconvolution else weight.shape[1] * groups
    depth = weight.shape[1] if not deconvolution else weight.shape[0]
    stride = options.pop("stride", (1, 1))
    mode = options.pop("mode", "valid")
    builder.add_convolution(
        "conv", depth, out, weight.shape[2], weight.shape[3], *stride, mode, groups,
        weight.transpose(2, 3, 1, 0) if not deconvolution else weight.transpose(2, 3, 0, 1), bias, bias is not None,
        is_deconv=deconvolution, input_name="x", output_name="y", **options,
    )


for kind, legacy in [("exact", False), ("legacy", True)]:
    w, b = rand(6, 2, 3, 2), rand(6)
    simple(
        f"conv_{kind}", (4, 9, 8) if legacy else (2, 4, 9, 8),
        lambda n: convolution(
            n, w, b, groups=2, stride=(2, 1), dilation_factors=[2, 1], padding_top=1, padding_bottom=2, padding_left=0,
            padding_right=1,
        ),
        lambda x: ort(
            "Conv", x if x.ndim == 4 else x[None], w, b, group=2, strides=[2, 1], dilations=[2, 1], pads=[1, 0, 2, 1]
        ).reshape([6, 4, 8] if legacy else [2, 6, 4, 8]),
        legacy,
    )
w, b = rand(5, 3, 3, 3), rand(5)
for mode, auto in [("BOTTOM_RIGHT_HEAVY", "SAME_UPPER"), ("TOP_LEFT_HEAVY", "SAME_LOWER")]:
    simple(
        f"conv_same_{auto[5:].lower()}", (1, 3, 8, 7),
        lambda n: convolution(n, w, b, mode="same", stride=(2, 2), same_padding_asymmetry_mode=mode),
        lambda x: ort("Conv", x, w, b, strides=[2, 2], auto_pad=auto),
    )
# Three axes: a batch of one is not said.
simple("conv_five_axes", (2, 3, 3, 6, 5), lambda n: convolution(n, w, None), lambda x: ort(
    "Conv", x.reshape(6, 3, 6, 5), w).reshape(2, 3, 5, 4, 3))
d, db = rand(4, 3, 3, 3), rand(6)
simple(
    "deconv", (1, 4, 5, 4),
    lambda n: convolution(
        n, d, db, True, groups=2, stride=(2, 3), padding_top=1, padding_bottom=0, padding_left=1, padding_right=1
    ),
    lambda x: ort("ConvTranspose", x, d, db, group=2, strides=[2, 3], pads=[1, 1, 0, 1]),
)
simple(
    "deconv_same", (1, 4, 5, 4), lambda n: convolution(n, d, db[:3], True, mode="same", stride=(2, 2)),
    lambda x: ort("ConvTranspose", x, d, db[:3], strides=[2, 2], auto_pad="SAME_UPPER", output_shape=[10, 8]),
)
simple(
    "deconv_output_shape", (1, 4, 5, 4),
    lambda n: convolution(n, d, None, True, stride=(2, 2), output_shape=[9, 9]),
    lambda x: ort("ConvTranspose", x, d, strides=[2, 2], pads=[1, 0, 1, 0]),
)
v, vb = rand(4, 2, 2, 3, 3), rand(4)


def volume(n):
    n.add_convolution3d(
        "c", 2, 4, 2, 3, 3, v, vb, True, stride_depth=1, stride_height=2, stride_width=1, padding_mode="custom",
        padding_front=1, padding_left=1, input_name="x", output_name="c",
    )
    n.add_pooling3d("p", "c", "p", "AVERAGE", 2, 2, 2, 1, 1, 1)
    n.add_global_pooling3d("g", "p", "y", "MAX")


simple(
    "volume", (1, 2, 4, 7, 6), volume,
    lambda x: ort("GlobalMaxPool", ort(
        "AveragePool", ort("Conv", x, v, vb, strides=[1, 2, 1], pads=[1, 0, 1, 0, 0, 0]), kernel_shape=[2, 2, 2])),
)


def pool(kind, padding, exclude=False, **options):
    return lambda n: n.add_pooling("p", 3, 2, 2, 2, kind, padding, "x", "y", exclude_pad_area=exclude, **options)


pads = dict(padding_top=1, padding_bottom=2, padding_left=1, padding_right=0)
simple("pool_max", (1, 3, 8, 7), pool("MAX", "VALID", **pads), lambda x: ort(
    "MaxPool", x, kernel_shape=[3, 2], strides=[2, 2], pads=[1, 1, 2, 0]))
for exclude in [False, True]:
    simple(f"pool_average_{int(exclude)}", (1, 3, 8, 7), pool("AVERAGE", "VALID", exclude, **pads), lambda x: ort(
        "AveragePool", x, kernel_shape=[3, 2], strides=[2, 2], pads=[1, 1, 2, 0], count_include_pad=int(not exclude)))
simple("pool_same", (1, 3, 8, 7), pool("MAX", "SAME", same_padding_asymmetry_mode="TOP_LEFT_HEAVY"), lambda x: ort(
    "MaxPool", x, kernel_shape=[3, 2], strides=[2, 2], auto_pad="SAME_LOWER"))
simple("pool_l2", (1, 3, 8, 7), pool("L2", "VALID"), lambda x: np.sqrt(
    6 * ort("AveragePool", x * x, kernel_shape=[3, 2], strides=[2, 2])))


def last_pixel(x):
    """The largest of windows of 3 by 2 with a step of 2 and a border of 1, as many as the schema's formula says."""
    c, h, w = x.shape

    def count(extent, kernel):
        count = -(-(extent + 2 - kernel) // 2) + 1
        return count - 1 if (count - 1) * 2 >= extent + 1 else count

    result = np.empty((c, count(h, 3), count(w, 2)), np.float32)
    for i in range(result.shape[1]):
        for j in range(result.shape[2]):
            top, left = 2 * i - 1, 2 * j - 1
            result[:, i, j] = x[:, max(top, 0):top + 3, max(left, 0):left + 2].max((1, 2))
    return result


simple("pool_last_pixel", (3, 8, 8), pool(
    "MAX", "INCLUDE_LAST_PIXEL", padding_top=1, padding_bottom=1, padding_left=1, padding_right=1), last_pixel, legacy=True)
for kind, function in [("MAX", lambda x: x.max((-2, -1), keepdims=True)), ("AVERAGE", lambda x: x.mean(
        (-2, -1), keepdims=True)), ("L2", lambda x: np.sqrt((x * x).sum((-2, -1), keepdims=True)))]:
    simple(f"pool_global_{kind.lower()}", (2, 3, 4, 5), lambda n: n.add_pooling(
        "p", 0, 0, 0, 0, kind, "VALID", "x", "y", is_global=True), function)

# MARK: Products

w, b = rand(5, 12), rand(5)
for shape in [(12,), (3, 12), (2, 3, 12), (2, 3, 2, 2), (2, 2, 3, 2, 2)]:
    lead = shape[:-3] if len(shape) > 3 else shape[:-1]
    simple(f"inner_product_{len(shape)}", shape, lambda n: n.add_inner_product("p", w, b, 12, 5, True, "x", "y"),
           lambda x: (x.reshape(-1, 12) @ w.T + b).reshape(lead + ((5, 1, 1) if len(shape) > 3 else (5,))))
m, mb = rand(6, 4), rand(4)
simple("matmul_weight", (2, 3, 6), lambda n: n.add_batched_mat_mul(
    "m", ["x"], "y", weight_matrix_rows=6, weight_matrix_columns=4, W=m, bias=mb), lambda x: x @ m + mb)
builder = network({"a": (2, 1, 5, 3), "b": (3, 6, 5)}, ["y"])
builder.add_batched_mat_mul("m", ["a", "b"], "y", transpose_a=True, transpose_b=True)
a, c = rand(2, 1, 5, 3), rand(3, 6, 5)
save("matmul", builder, [a, c], [a.swapaxes(-1, -2) @ c.swapaxes(-1, -2)])

# MARK: Normalisation

gamma, beta, mean, variance = rand(3), rand(3), rand(3), rand(3) ** 2 + 0.5
simple("batchnorm", (2, 3, 4, 5), lambda n: n.add_batchnorm(
    "b", 3, gamma, beta, mean, variance, "x", "y", epsilon=1e-3), lambda x: ort(
        "BatchNormalization", x, gamma, beta, mean, variance, epsilon=1e-3))
simple("batchnorm_instance", (2, 3, 4, 5), lambda n: n.add_batchnorm(
    "b", 3, gamma, beta, None, None, "x", "y", compute_mean_var=True, instance_normalization=True), lambda x: ort(
        "InstanceNormalization", x, gamma, beta))


def whole(x):
    center = x - x.mean((0, 2, 3), keepdims=True)
    return center / np.sqrt((center ** 2).mean((0, 2, 3), keepdims=True) + 1e-5) * gamma[:, None, None] + beta[:, None, None]




def over_batch(n):
    n.add_batchnorm("b", 3, gamma, beta, None, None, "x", "y", compute_mean_var=True, instance_normalization=True)
    n.spec.neuralNetwork.layers[0].batchnorm.instanceNormalization = False


simple("batchnorm_batch", (2, 3, 4, 5), over_batch, whole)
for across in [True, False]:
    for divides in [True, False]:
        axes = (-3, -2, -1) if across else (-2, -1)
        simple(f"mvn_{int(across)}{int(divides)}", (3, 4, 5), lambda n: n.add_mvn(
            "m", "x", "y", across_channels=across, normalize_variance=divides, epsilon=1e-4), lambda x: (
                x - x.mean(axes, keepdims=True)) / (np.sqrt(x.var(axes, keepdims=True) + 1e-4) if divides else 1), legacy=True)
g, h = rand(3, 4), rand(3, 4)
simple("layer_norm", (2, 3, 4), lambda n: n.add_layer_normalization("l", "x", "y", [3, 4], g, h, 1e-3), lambda x: ort(
    "LayerNormalization", x, g, h, axis=-2, epsilon=1e-3))
simple("l2_normalize", (3, 4, 5), lambda n: n.add_l2_normalize("l", "x", "y", 1e-3), lambda x: x / np.sqrt(
    (x * x).sum() + 1e-3), legacy=True)
simple("lrn", (7, 4, 5), lambda n: n.add_lrn("l", "x", "y", 0.3, 0.75, 5, 1.5), lambda x: ort(
    "LRN", x[None], alpha=0.3, beta=0.75, size=5, bias=1.5)[0], legacy=True)
simple("softmax", (4, 3, 2), lambda n: n.add_softmax("s", "x", "y"), lambda x: ort("Softmax", x, axis=0), legacy=True)
simple("softmax_nd", (4, 3, 2), lambda n: n.add_softmax_nd("s", "x", "y", 1), lambda x: ort("Softmax", x, axis=1))

# MARK: Functions of each element

slope, rise = rand(3), rand(3) + 1.5
for kind, parameters, function in [
    ("RELU", None, lambda x: np.maximum(x, 0)),
    ("LEAKYRELU", [0.3], lambda x: np.where(x < 0, 0.3 * x, x)),
    ("PRELU", slope, lambda x: np.where(x < 0, slope[:, None, None] * x, x)),
    ("TANH", None, np.tanh),
    ("SCALED_TANH", [1.7, 0.6], lambda x: 1.7 * np.tanh(0.6 * x)),
    ("SIGMOID", None, sigmoid),
    ("SIGMOID_HARD", [0.4, 0.3], lambda x: np.clip(0.4 * x + 0.3, 0, 1)),
    ("LINEAR", [1.5, -0.5], lambda x: 1.5 * x - 0.5),
    ("ELU", 0.7, lambda x: np.where(x < 0, 0.7 * np.expm1(x), x)),
    ("THRESHOLDEDRELU", 0.5, lambda x: np.where(x >= 0.5, x, 0)),
    ("SOFTSIGN", None, lambda x: x / (1 + abs(x))),
    ("SOFTPLUS", None, lambda x: np.log1p(np.exp(x))),
    ("PARAMETRICSOFTPLUS", [slope, rise], lambda x: slope[:, None, None] * np.log1p(np.exp(rise[:, None, None] * x))),
]:
    x = 3 * rand(3, 4, 5)
    x[0, 0, 0] = 0.5
    simple(f"activation_{kind.lower()}", (3, 4, 5), lambda n: n.add_activation(
        "a", kind, "x", "y", parameters), function, legacy=True, x=x)
for kind, function in [
    ("sqrt", np.sqrt), ("rsqrt", lambda x: 1 / np.sqrt(x + 1e-3)), ("inverse", lambda x: 1 / (x + 1e-3)),
    ("power", lambda x: x ** 1.5), ("exp", np.exp), ("log", lambda x: np.log(x + 1e-3)), ("abs", abs),
    ("threshold", lambda x: np.maximum(x, 1.5)),
]:
    simple(f"unary_{kind}", (2, 3, 4), lambda n: n.add_unary(
        "u", "x", "y", kind, alpha=1.5, shift=2, scale=0.5, epsilon=1e-3), lambda x: function(0.5 * x + 2))

every = [
    ("add_sin", np.sin), ("add_cos", np.cos), ("add_tan", np.tan), ("add_asin", np.arcsin), ("add_acos", np.arccos),
    ("add_atan", np.arctan), ("add_sinh", np.sinh), ("add_cosh", np.cosh), ("add_tanh", np.tanh),
    ("add_asinh", np.arcsinh), ("add_atanh", np.arctanh), ("add_exp2", np.exp2),
    ("add_erf", lambda x: ort("Erf", x)), ("add_ceil", np.ceil), ("add_floor", np.floor), ("add_sign", np.sign),
    ("add_round", np.round),
]
x = 0.9 * rand(2, 5)
builder = network({"x": x.shape}, [f"y{index}" for index in range(len(every) + 3)])
for index, (method, _) in enumerate(every):
    getattr(builder, method)(f"l{index}", "x", f"y{index}")
for index, mode in enumerate(["EXACT", "TANH_APPROXIMATION", "SIGMOID_APPROXIMATION"]):
    builder.add_gelu(f"gelu{index}", "x", f"y{len(every) + index}", mode)
cdf = (1 + ort("Erf", (x / np.sqrt(2)).astype(np.float32))) / 2
save("elementwise", builder, [x], [function(x) for _, function in every] + [
    x * cdf, x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3))), x * sigmoid(1.702 * x)])

x = 4 * rand(2, 5)
builder = network({"x": x.shape}, ["y0", "y1", "y2"])
builder.add_clip("clip", "x", "y0", -1.5, 2)
builder.add_clamped_relu("clamped", "x", "y1", 0.2, 1.5)
builder.add_add_broadcastable("shift", ["x", "x"], "twice")
builder.add_activation("big", "LINEAR", "twice", "shifted", [1, 20])
builder.add_acosh("acosh", "shifted", "y2")
save("bounded", builder, [x], [
    np.clip(x, -1.5, 2), np.minimum(np.where(x < 0, 0.2 * x, x), 1.5), np.arccosh(2 * x + 20)])

# MARK: Two and more

a, c, d = rand(3, 4, 5), rand(3, 4, 5), rand(3, 4, 5)
builder = network({"a": a.shape, "b": c.shape, "c": d.shape}, [f"y{i}" for i in range(10)], legacy=True)
for index, mode in enumerate(["ADD", "MULTIPLY", "MAX", "MIN", "AVE", "CONCAT"]):
    builder.add_elementwise(f"l{index}", ["a", "b", "c"], f"y{index}", mode)
builder.add_elementwise("plus", ["a"], "y6", "ADD", 0.25)
builder.add_elementwise("times", ["a"], "y7", "MULTIPLY", 1.25)
builder.add_flatten("f0", 0, "a", "fa")
builder.add_flatten("f1", 0, "b", "fb")
builder.add_elementwise("dot", ["fa", "fb"], "y8", "DOT")
builder.add_elementwise("cos", ["fa", "fb"], "y9", "COS")
free_outputs(builder)
dot = (a * c).sum()
save("elementwise_legacy", builder, [a, c, d], [
    a + c + d, a * c * d, np.maximum(np.maximum(a, c), d), np.minimum(np.minimum(a, c), d), (a + c + d) / 3,
    np.concatenate([a, c, d]), a + 0.25, a * 1.25, [dot], [dot / np.sqrt((a * a).sum() * (c * c).sum())]])

a, c = rand(2, 1, 4) + 2, rand(3, 1) + 2
a[0, 0, 0] = c[1, 0]
methods = [
    ("add", lambda p, q: p + q), ("subtract", lambda p, q: p - q), ("multiply", lambda p, q: p * q),
    ("divide", lambda p, q: p / q), ("pow", lambda p, q: p ** q), ("max", np.maximum), ("min", np.minimum),
    ("mod", np.mod), ("floor_div", np.floor_divide),
]
builder = network({"a": a.shape, "b": c.shape}, [f"y{i}" for i in range(len(methods))])
for index, (name, _) in enumerate(methods):
    getattr(builder, f"add_{name}_broadcastable")(name, ["a", "b"], f"y{index}")
save("broadcastable", builder, [a, c], [function(a, c) for _, function in methods])

builder = network({"a": a.shape, "b": c.shape}, [f"y{i}" for i in range(12)])
builder.add_greater_than("l0", ["a", "b"], "y0")
builder.add_greater_than("l1", ["a", "b"], "y1", use_greater_than_equal=True)
builder.add_less_than("l2", ["a", "b"], "y2")
builder.add_less_than("l3", ["a", "b"], "y3", use_less_than_equal=True)
builder.add_equal("l4", ["a", "b"], "y4")
builder.add_not_equal("l5", ["a", "b"], "y5")
builder.add_greater_than("l6", ["a"], "y6", alpha=2)
for index, mode in enumerate(["AND", "OR", "XOR"]):
    builder.add_logical(f"logic{index}", ["y0", "y6"], f"y{7 + index}", mode)
builder.add_logical("not", ["y0"], "y10", "NOT")
builder.add_where_broadcastable("where", ["y0", "a", "b"], "y11")
more, big = a > c, (a > 2)
save("comparisons", builder, [a, c], [
    more, a >= c, a < c, a <= c, a == c, a != c, big, more & big, more | big, more ^ big, ~more, np.where(more, a, c)])

s, t = rand(3), rand(3, 4, 5)
for name, scale, offset in [("channel", s, s), ("image", t, t[:1]), ("one", s[:1], s[:1])]:
    def spread(v):
        return v if v.ndim == 3 else v[:, None, None] if v.size > 1 else v[0]
    simple(f"scale_{name}", (3, 4, 5), lambda n: (n.add_scale(
        "s", scale, offset, True, "x", "s", list(scale.shape), list(offset.shape)), n.add_bias(
            "b", scale, "s", "y", list(scale.shape))), lambda x: x * spread(scale) + spread(offset) + spread(scale), legacy=True)

# MARK: Shapes

x = rand(4, 6, 6)
builder = network({"x": x.shape}, [f"y{i}" for i in range(16)], legacy=True)
builder.add_flatten("l0", 0, "x", "y0")
builder.add_flatten("l1", 1, "x", "y1")
builder.add_reshape("l2", "x", "y2", [3, 4, 12], 0)
builder.add_reshape("l3", "x", "y3", [3, 4, 12], 1)
builder.add_permute("l4", [0, 3, 1, 2], "x", "y4")
builder.add_slice("l5", "x", "y5", "channel", 1, 3)
builder.add_slice("l6", "x", "y6", "height", 1, -1, 2)
builder.add_slice("l7", "x", "y7", "width", 2, -1, 1)
builder.add_crop("l8", 1, 0, 2, 1, [0, 0], ["x"], "y8")
builder.add_crop("l9", 0, 0, 0, 0, [1, 2], ["x", "y8"], "y9")
builder.add_padding("l10", 1, 2, 0, 1, 0.5, "x", "y10")
builder.add_padding("l11", 1, 2, 2, 1, 0, "x", "y11", "reflection")
builder.add_padding("l12", 1, 2, 2, 1, 0, "x", "y12", "replication")
builder.add_reorganize_data("l13", "x", "y13", "SPACE_TO_DEPTH", 2)
builder.add_reorganize_data("l14", "x", "y14", "DEPTH_TO_SPACE", 2)
builder.add_split("l15", "x", ["sa", "sb"])
builder.add_load_constant("c", "c", np.arange(144, dtype=np.float32), [2, 6, 12])
builder.add_reshape("flat", "sb", "sc", [2, 6, 6], 0)
builder.add_elementwise("join", ["sa", "sc"], "y15", "MULTIPLY")
free_outputs(builder)
spatial = [(0, 0), (2, 1), (1, 2)]
save("shapes_legacy", builder, [x], [
    x.reshape(-1), x.transpose(1, 2, 0).reshape(-1), x.reshape(3, 4, 12),
    x.transpose(1, 2, 0).reshape(4, 12, 3).transpose(2, 0, 1), x.transpose(2, 0, 1), x[1:3], x[:, 1:-1:2],
    x[:, :, 2:-1], x[:, 2:-1, 1:], x[:, 1:4, 2:7][:, :3, :5], np.pad(x, [(0, 0), (0, 1), (1, 2)], constant_values=0.5),
    np.pad(x, spatial, "reflect"), np.pad(x, spatial, "edge"), ort("SpaceToDepth", x[None], blocksize=2)[0],
    ort("DepthToSpace", x[None], blocksize=2, mode="DCR")[0], x[:2] * x[2:]])

x = rand(2, 3, 4)
builder = network({"x": x.shape, "z": (4, 6)}, [f"y{i}" for i in range(28)])
z = rand(4, 6)
builder.add_transpose("l0", [2, 0, 1], "x", "y0")
builder.add_expand_dims("l1", "x", "y1", [0, -1])
builder.add_squeeze("l2", "y1", "y2", [0])
builder.add_squeeze("l3", "y1", "y3", squeeze_all=True)
builder.add_flatten_to_2d("l4", "x", "y4", 2)
builder.add_reshape_static("l5", "x", "y5", [4, -1])
builder.add_rank_preserving_reshape("l6", "x", "y6", [0, 4, -1])
builder.add_reshape_like("l7", ["x", "z"], "y7")
builder.add_get_shape("l8", "z", "y8")
builder.add_reshape_dynamic("l9", ["x", "y8"], "y9")
builder.add_concat_nd("l10", ["x", "x"], "y10", 1)
builder.add_stack("l12", ["x", "x"], "y12", -1)
builder.add_split_nd("l13", "z", ["y13", "y14"], -1, split_sizes=[2, 4])
builder.add_split_nd("l14", "z", ["y15", "y16"], 0, num_splits=2)
builder.add_tile("l15", "x", "y17", [1, 2, 3])
builder.add_slice_static("l16", "x", "y18", [0, 1, -1], [2, 3, 0], [1, 1, -2], [False] * 3, [True, False, True])
builder.add_slice_static("l17", "x", "y19", [1, 0, 0], [2, 3, 2], [1, 1, 1], [False] * 3, [False] * 3, [True, False, False])
builder.add_reverse("l18", "x", "y20", [True, False, True])
builder.add_broadcast_to_static("l19", "x", "y21", [3, 2, 3, 4])
builder.add_constant_pad("l20", ["z"], "y22", 1.5, False, [1, 0, 0, 2])
builder.add_constant_pad("l21", ["z"], "y23", 0, True, [6, 0, 0, 9])
builder.add_activation("half", "LINEAR", "x", "y24", [-1, 0])
builder.add_concat_nd("l11", ["x", "y24"], "y11", 2, interleave=True)
builder.add_sliding_windows("l22", "z", "y25", 1, 3, 2)
builder.add_fill_like("l23", "z", "y26", 2.5)
builder.add_range_static("l24", "y27", None, 7, 1, 2)
save("shapes", builder, [x, z], [
    x.transpose(2, 0, 1), x[None, ..., None], x[..., None], x, x.reshape(6, 4), x.reshape(4, 6), x.reshape(2, 4, 3),
    x.reshape(4, 6), [4, 6], x.reshape(4, 6), np.concatenate([x, x], 1), np.stack([x, -x], 3).reshape(2, 3, 8),
    np.stack([x, x], -1), z[:, :2], z[:, 2:], z[:2], z[2:], np.tile(x, [1, 2, 3]), x[:, 1:3, ::-2], x[1, :, :2],
    x[::-1, :, ::-1], np.broadcast_to(x, (3, 2, 3, 4)), np.pad(z, [(1, 0), (0, 2)], constant_values=1.5),
    np.pad(z, [(2, 0), (0, 3)]), -x, np.stack([z[:, 0:3], z[:, 2:5]], 1), np.full((4, 6), 2.5), [1, 3, 5]])

# MARK: Resampling


def resized(x, scale, mode):
    return ort("Resize", x, None, np.array([1, 1, *scale], np.float32), coordinate_transformation_mode=mode,
               mode="linear")


simple("upsample_nn", (1, 2, 3, 4), lambda n: n.add_upsample("u", 2, 3, "x", "y", "NN"), lambda x: x.repeat(
    2, 2).repeat(3, 3))
for mode, name in [("DEFAULT", "asymmetric"), ("ALIGN_CORNERS_TRUE", "align_corners"), ("ALIGN_CORNERS_FALSE", "half_pixel")]:
    simple(f"upsample_{name}", (1, 2, 3, 4), lambda n: n.add_upsample("u", 2, 3, "x", "y", "BILINEAR", mode),
           lambda x: resized(x, (2, 3), name))


def sampled(x, height, width, mode):
    """Bilinear at the grid points that the schema gives for each mode."""
    def grid(extent, count):
        last = extent - 1 if mode != "UPSAMPLE_MODE" else extent - extent / count
        return np.minimum(np.linspace(0, last, count), extent - 1)
    def along(x, points):
        low = np.floor(points).astype(int)
        high = np.minimum(low + 1, x.shape[-1] - 1)
        return x[..., low] * (1 - (points - low)) + x[..., high] * (points - low)
    x = along(x, grid(x.shape[-1], width))
    return along(x.swapaxes(-1, -2), grid(x.shape[-2], height)).swapaxes(-1, -2)


for mode in ["STRICT_ALIGN_ENDPOINTS_MODE", "ALIGN_ENDPOINTS_MODE", "UPSAMPLE_MODE"]:
    simple(f"resize_{mode.lower()}", (2, 4, 5), lambda n: n.add_resize_bilinear("r", "x", "y", 7, 3, mode),
           lambda x: sampled(x, 7, 3, mode), legacy=True)

# MARK: Reductions

x = rand(3, 4, 5) + 1.2
modes = [
    ("sum", np.sum), ("avg", np.mean), ("prod", np.prod), ("logsum", lambda x, a, keepdims: np.sum(
        np.log(x + 1e-3), a, keepdims=keepdims)), ("sumsquare", lambda x, a, keepdims: np.sum(x * x, a, keepdims=keepdims)),
    ("l1", lambda x, a, keepdims: np.sum(abs(x), a, keepdims=keepdims)),
    ("l2", lambda x, a, keepdims: np.sqrt(np.sum(x * x, a, keepdims=keepdims))), ("max", np.max), ("min", np.min),
]
places = {"CHW": (-3, -2, -1), "HW": (-2, -1), "C": (-3,), "H": (-2,), "W": (-1,)}
cases = [(mode, function, axis) for mode, function in modes for axis in (places if mode == "sum" else ["HW", "W"])]
builder = network({"x": x.shape}, [f"y{i}" for i in range(len(cases) + 1)], legacy=True)
for index, (mode, _, axis) in enumerate(cases):
    builder.add_reduce(f"l{index}", "x", f"y{index}", axis, mode, 1e-3)
builder.add_reduce("arg", "x", f"y{len(cases)}", "H", "argmax")
free_outputs(builder)


def outward(y):
    return y.reshape(-1) if y.shape[1:] == (1, 1) else y


save("reduce_legacy", builder, [x], [outward(function(x, places[axis], keepdims=True)) for _, function, axis in cases] + [
    outward(x.argmax(1)[:, None])])

names = ["sum", "prod", "mean", "max", "min", "l2", "l1", "sumsquare", "logsum", "logsumexp"]
functions = [np.sum, np.prod, np.mean, np.max, np.min, modes[6][1], modes[5][1], modes[4][1],
             lambda x, a, keepdims: np.log(np.sum(x, a, keepdims=keepdims)),
             lambda x, a, keepdims: np.log(np.sum(np.exp(x), a, keepdims=keepdims))]
builder = network({"x": x.shape}, [f"y{i}" for i in range(20)])
for index, name in enumerate(names):
    getattr(builder, f"add_reduce_{name}")(f"l{index}", "x", f"y{index}", axes=[0, -1], keepdims=bool(index % 2))
    getattr(builder, f"add_reduce_{name}")(f"all{index}", "x", f"y{10 + index}", keepdims=False, reduce_all=True)
save("reduce", builder, [x], [f(x, (0, 2), keepdims=bool(i % 2)) for i, f in enumerate(functions)] + [
    np.reshape(f(x, (0, 1, 2), keepdims=False), [1]) for f in functions])

x = rand(3, 6)
builder = network({"x": x.shape}, [f"y{i}" for i in range(10)])
builder.add_argmax("l0", "x", "y0", -1, keepdims=True)
builder.add_argmin("l1", "x", "y1", 0, keepdims=False)
builder.add_topk("l2", ["x"], ["y2", "y3"], 2, 1)
builder.add_topk("l3", ["x"], ["y4", "y5"], 2, 0, use_bottom_k=True)
builder.add_argsort("l4", "x", "y6", 1, descending=True)
builder.add_cumsum("l5", ["x"], "y7", 1, exclusive=True, reverse=True)
builder.add_one_hot("l6", ["y0"], "y8", 6, -1, 2.0, 0.5)
builder.add_gather_along_axis("l7", ["x", "y6"], "y9", 1)
order = (-x).argsort(1)
save("ordering", builder, [x], [
    x.argmax(1)[:, None], x.argmin(0), -np.sort(-x, 1)[:, :2], order[:, :2], np.sort(x, 0)[:2], x.argsort(0)[:2], order,
    np.cumsum(x[:, ::-1], 1)[:, ::-1] - x, np.where(np.arange(6) == x.argmax(1)[:, None, None], 2.0, 0.5),
    np.take_along_axis(x, order, 1)])

# MARK: Positions

x, i, u = rand(4, 3), np.array([2, 0], np.float32), rand(2, 3)
places = np.array([[1, 2], [3, 0], [0, 0]], np.float32)
builder = network({"x": x.shape, "i": i.shape, "u": u.shape, "p": places.shape}, [f"y{k}" for k in range(12)])
builder.add_gather("l0", ["x", "i"], "y0", 0)
builder.add_gather("l1", ["x", "i"], "y1", 1)
builder.add_gather_nd("l2", ["x", "p"], "y2")
builder.add_scatter("l3", ["x", "i", "u"], "y3", 0, "UPDATE")
builder.add_scatter("l4", ["x", "i", "u"], "y4", 0, "ADD")
builder.add_reduce_max("l5", "x", "m", axes=[1], keepdims=False)
builder.add_gather_nd("l6", ["x", "p"], "picked")
builder.add_scatter_nd("l7", ["x", "p", "picked"], "y5", "MUL")
builder.add_matrix_band_part("l8", "x", "y6", 1, 0)
builder.add_lower_triangular("l9", "x", "y7", -1)
builder.add_upper_triangular("l10", "x", "y8", 1)
builder.add_where_nonzero("l11", "y8", "nonzero")
builder.add_load_constant_nd("one", "one", np.array([1.0], np.float32), [1])
builder.add_slice_by_size("l12", ["x", "one"], "y9", 0, 2)
builder.add_load_constant_nd("begin", "begin", np.array([1.0, 0.0], np.float32), [2])
builder.add_slice_dynamic("l13", ["x", "begin"], "y10", end_ids=[3, 2], strides=[1, 1], begin_masks=[False] * 2,
                          end_masks=[False] * 2)
builder.add_reduce_sum("count", "nonzero", "y11", axes=[0], keepdims=False)
updated, added, scaled = x.copy(), x.copy(), x.copy()
updated[[2, 0]], added[[2, 0]] = u, x[[2, 0]] + u
index = tuple(places.astype(int).T)
scaled[index] = x[index] ** 2
band = np.subtract.outer(np.arange(4), np.arange(3))
save("positions", builder, [x, i, u, places], [
    x[[2, 0]], x[:, [2, 0]], x[index], updated, added, scaled, np.where((band <= 1) & (band >= 0), x, 0), np.tril(x, -1),
    np.triu(x, 1), x[1:3], x[1:3, :2], np.argwhere(np.triu(x, 1)).sum(0)])

x, u, rows = rand(3, 4), rand(2, 4), np.array([[2, 0, 1, 2], [0, 1, 0, 0]], np.float32)
builder = network({"x": x.shape, "u": u.shape, "r": rows.shape}, [f"y{k}" for k in range(5)])
builder.add_scatter_along_axis("l0", ["x", "r", "u"], "y0", 0, "ADD")
builder.add_slice_static("row", "x", "row", [0, 0], [1, 4], [1, 1], [False] * 2, [False] * 2)
builder.add_broadcast_to_like("l1", ["row", "u"], "y1")
builder.add_get_shape("shape", "u", "shape")
builder.add_broadcast_to_dynamic("l2", ["row", "shape"], "y2")
builder.add_fill_dynamic("l3", "shape", "y3", 1.25)
builder.add_fill_static("fill", "fill", [3, 4], -2.0)
builder.add_add_broadcastable("l4", ["fill", "x"], "y4")
scattered = x.copy()
np.add.at(scattered, (rows.astype(int), np.broadcast_to(np.arange(4), (2, 4))), u)
save("filling", builder, [x, u, rows], [
    scattered, np.repeat(x[:1], 2, 0), np.repeat(x[:1], 2, 0), np.full((2, 4), 1.25), x - 2])
builder = network({"x": (3,)}, ["y0", "y1"], legacy=True)
builder.add_sequence_repeat("l0", 2, "x", "y0")
builder.add_elementwise("l1", ["x", "y0"], "y1", "SEQUENCE_CONCAT")
free_outputs(builder)
x = rand(2, 1, 3, 1, 1)
save("sequences", builder, [x], [np.tile(x, (2, 1, 1, 1, 1)), np.tile(x, (3, 1, 1, 1, 1))])

w, b = rand(5, 9), rand(5)
i = np.array([[3], [0], [8]], np.float32)
simple("embedding_nd", (3, 1), lambda n: n.add_embedding_nd("e", "x", "y", 9, 5, w, b), lambda x: w.T[x[:, 0].astype(
    int)] + b, x=i)
builder = network({"x": (1,)}, ["y"], legacy=True)
builder.add_embedding("e", w, b, 9, 5, True, "x", "y")
free_outputs(builder)
save("embedding", builder, [np.array([4], np.float32)], [w.T[4] + b])

# MARK: Recurrent layers, over sequences [Seq, 1, C, 1, 1]


def run(x, step, state, reverse=False):
    """Outputs in the order of the inputs, then the states."""
    outputs = [None] * len(x)
    for at in (reversed(range(len(x))) if reverse else range(len(x))):
        state = step(x[at], *state)
        outputs[at] = state[0]
    return np.array(outputs), state


steps, width, hidden = 5, 3, 4
sequence = rand(steps, 1, width, 1, 1)
flat = sequence[:, 0, :, 0, 0]


def five(y):
    return np.reshape(y, (-1, 1, np.shape(y)[-1], 1, 1))


def rnn_step(wx, wh, b, f):
    return lambda x, h: (f(wx @ x + wh @ h + b),)


def gru_step(wx, wh, b, f, g):
    def step(x, h):
        z, r = f(wx[0] @ x + wh[0] @ h + b[0]), f(wx[1] @ x + wh[1] @ h + b[1])
        return ((1 - z) * g(wx[2] @ x + wh[2] @ (h * r) + b[2]) + z * h,)
    return step


def lstm_step(wx, wh, b, p, forget=0, f=sigmoid, g=np.tanh):
    """Gates i f o z."""
    def step(x, h, c):
        i = f(wx[0] @ x + wh[0] @ h + p[0] * c + b[0])
        q = f(wx[1] @ x + wh[1] @ h + p[1] * c + b[1] + forget)
        z = g(wx[3] @ x + wh[3] @ h + b[3])
        c = q * c + i * z
        o = f(wx[2] @ x + wh[2] @ h + p[2] * c + b[2])
        return o * np.tanh(c), c
    return step


def recurrent(name, build, answers, states=0, outputs=1):
    names = [f"s{index}" for index in range(states)]
    shapes = {"x": (width,), **{state: (hidden,) for state in names}}
    results = [f"y{index}" for index in range(outputs)]
    builder = network(shapes, results, legacy=True)
    build(builder, ["x"] + names, results)
    free_outputs(builder)
    initial = [rand(hidden) for _ in names]
    save(name, builder, [sequence] + initial, answers(*initial))


wx, wh, b = rand(hidden, width), rand(hidden, hidden), rand(hidden)
for all_steps in [True, False]:
    for reverse in [True, False]:
        def answers(h):
            y, state = run(flat, rnn_step(wx, wh, b, np.tanh), (h,), reverse)
            return [five(y) if all_steps else state[0], state[0]]
        recurrent(f"rnn_{int(all_steps)}{int(reverse)}", lambda n, i, o: n.add_simple_rnn(
            "r", wh, wx, b, hidden, width, "TANH", i, o, output_all=all_steps, reverse_input=reverse), answers, 1, 2)
recurrent("rnn_relu", lambda n, i, o: n.add_simple_rnn(
    "r", wh, wx, None, hidden, width, "RELU", i, o, output_all=True), lambda: [five(run(flat, rnn_step(
        wx, wh, 0, lambda v: np.maximum(v, 0)), (np.zeros(hidden),))[0])])
gx, gh, gb = [rand(hidden, width) for _ in range(3)], [rand(hidden, hidden) for _ in range(3)], [rand(hidden) for _ in range(3)]
for inner, function in [("SIGMOID", sigmoid), ("SIGMOID_HARD", lambda v: np.clip(0.2 * v + 0.5, 0, 1))]:
    def answers(h):
        y, state = run(flat, gru_step(gx, gh, gb, function, np.tanh), (h,))
        return [five(y), state[0]]
    recurrent(f"gru_{inner.lower()}", lambda n, i, o: n.add_gru(
        "r", gh, gx, gb, hidden, width, i, o, "TANH", inner, output_all=True), answers, 1, 2)


def gates(count, *shape):
    return [rand(*shape) for _ in range(count)]


lx, lh, lb, lp = gates(4, hidden, width), gates(4, hidden, hidden), gates(4, hidden), gates(3, hidden)
mx, mh, mb, mp = gates(4, hidden, width), gates(4, hidden, hidden), gates(4, hidden), gates(3, hidden)
zero = [np.zeros(hidden)] * 4
for name, bias, peep, forget in [("lstm", lb, None, False), ("lstm_peephole", lb, lp, True), ("lstm_plain", None, None, True)]:
    def answers(h, c):
        y, state = run(flat, lstm_step(lx, lh, bias or zero, peep or zero, int(forget)), (h, c))
        return [five(y), *state]
    recurrent(name, lambda n, i, o: n.add_unilstm(
        "r", lh, lx, bias, hidden, width, i, o, peep=peep, output_all=True, forget_bias=forget), answers, 2, 3)
for all_steps in [True, False]:
    def answers(h, c, k, d):
        y, forth = run(flat, lstm_step(lx, lh, lb, lp), (h, c))
        z, back = run(flat, lstm_step(mx, mh, mb, mp), (k, d), True)
        both = five(np.concatenate([y, z], 1)) if all_steps else np.concatenate([forth[0], back[0]])
        return [both, *forth, *back]
    recurrent(f"bilstm_{int(all_steps)}", lambda n, i, o: n.add_bidirlstm(
        "r", lh, lx, lb, mh, mx, mb, hidden, width, i, o, peep=lp, peep_back=mp, output_all=all_steps), answers, 4, 5)

# A text classifier of the old form: words, a table, a recurrent layer, classes.
table = rand(width, 9)
builder = network({"x": (1,)}, ["y"], legacy=True)
builder.add_embedding("table", table, None, 9, width, False, "x", "e")
builder.add_unilstm("r", lh, lx, lb, hidden, width, ["e"], ["h"])
builder.add_inner_product("d", rand(2, hidden), None, hidden, 2, False, "h", "z")
builder.add_softmax("s", "z", "y")
free_outputs(builder)
words = np.array([3, 1, 4, 1, 5, 8], np.float32)
_, state = run(table.T[words.astype(int)], lstm_step(lx, lh, lb, zero), (np.zeros(hidden), np.zeros(hidden)))
dense = np.array(builder.spec.neuralNetwork.layers[2].innerProduct.weights.floatValue).reshape(2, hidden)
scores = dense @ state[0]
save("words", builder, [words.reshape(-1, 1, 1, 1, 1)], [np.exp(scores) / np.exp(scores).sum()])

# MARK: Images, classifiers, quantised weights

w, b = rand(4, 3, 3, 3), rand(4)
for name, legacy in [("image_rgb", False), ("image_bgr", True)]:
    builder = network({"x": (3, 6, 5) if legacy else (1, 3, 6, 5)}, ["y"], legacy)
    convolution(builder, w, b)
    bgr = name == "image_bgr"
    builder.set_pre_processing_parameters(
        ["x"], is_bgr=bgr, red_bias=-0.5, green_bias=-0.25, blue_bias=0.75, image_scale=1 / 128, image_format="NCHW")
    if legacy:
        free_outputs(builder)
    pixels = random.randint(0, 256, (1, 3, 6, 5)).astype(np.float32)
    biases = np.array([0.75, -0.25, -0.5] if bgr else [-0.5, -0.25, 0.75], np.float32)
    y = ort("Conv", pixels / 128 + biases[:, None, None], w, b)
    save(name, builder, [pixels], [y[0] if legacy else y])
builder = network({"x": (1, 6, 5)}, ["y"], legacy=True)
builder.add_pooling("p", 2, 2, 1, 1, "AVERAGE", "VALID", "x", "y")
builder.set_pre_processing_parameters(["x"], gray_bias=-1.5, image_scale=1 / 64)
free_outputs(builder)
mean = builder.spec.neuralNetwork.preprocessing.add()
mean.featureName = "x"
mean.meanImage.meanImage.extend(range(30))
gray = random.randint(0, 256, (1, 1, 6, 5)).astype(np.float32)
steps_done = gray / 64 - 1.5 - np.arange(30, dtype=np.float32).reshape(1, 1, 6, 5)
save("image_gray", builder, [gray], [ort("AveragePool", steps_done, kernel_shape=[2, 2])[0]])

# Sizes that the description leaves open, of an array and of an image.
w, b = rand(4, 3, 3, 3), rand(4)
for name, legacy in [("open_array", False), ("open_image", True)]:
    builder = network({"x": (3, 8, 8) if legacy else (1, 3, 8, 8)}, ["y"], legacy)
    builder.add_convolution("c", 3, 4, 3, 3, 2, 2, "same", 1, w.transpose(2, 3, 1, 0), b, True, input_name="x", output_name="c")
    builder.add_upsample("u", 2, 2, "c", "y", "NN")
    if legacy:
        free_outputs(builder)
        builder.set_pre_processing_parameters(["x"], image_scale=1 / 256)
        flexible_shape_utils.update_image_size_range(
            builder.spec, "x", flexible_shape_utils.NeuralNetworkImageSizeRange(height_range=(4, 64), width_range=(4, -1)))
        x = random.randint(0, 256, (1, 3, 9, 6)).astype(np.float32)
    else:
        flexible_shape_utils.set_multiarray_ndshape_range(builder.spec, "x", [1, 3, 4, 4], [1, 3, -1, 64])
        x = rand(1, 3, 9, 6)
    y = ort("Conv", x / 256 if legacy else x, w, b, strides=[2, 2], auto_pad="SAME_UPPER").repeat(2, 2).repeat(2, 3)
    save(name, builder, [x], [y[0] if legacy else y])

w, b = rand(3, 8), rand(3)
builder = NeuralNetworkBuilder(
    [("x", datatypes.Array(8))], [("p", datatypes.Array(3))], mode="classifier", use_float_arraytype=True)
builder.add_inner_product("d", w, b, 8, 3, True, "x", "z")
builder.add_softmax("s", "z", "p")
labels = ["cat", "dog", "red fox"]
builder.set_class_labels(labels, prediction_blob="p")
x = rand(8)
z = w @ x + b
save("classifier", builder, [x], [np.exp(z) / np.exp(z).sum(), labels[np.argmax(z)]])

# Numbers in few bits: the codes are chosen here, and packed as coremltools packs them.


def packed(codes, bits):
    text = "".join(format(int(code), f"0{bits}b") for code in codes.reshape(-1))
    return int(text.ljust(-(-len(text) // 8) * 8, "0"), 2).to_bytes(-(-len(text) // 8), "big")


def quantised(params, codes, bits, scale=None, bias=None, lut=None):
    del params.floatValue[:]
    params.rawValue = packed(codes, bits)
    params.quantization.numberOfBits = bits
    if lut is not None:
        params.quantization.lookupTableQuantization.floatValue.extend(lut)
        return lut[codes]
    params.quantization.linearQuantization.scale.extend(scale)
    params.quantization.linearQuantization.bias.extend(bias)
    shape = (-1,) + (1,) * (codes.ndim - 1)
    return (codes * scale.reshape(shape) + bias.reshape(shape)).astype(np.float32)


for bits in range(1, 9):
    for form in ["linear", "lut"]:
        builder = network({"x": (1, 2, 5, 5)}, ["y"])
        convolution(builder, np.zeros((3, 2, 3, 3), np.float32), None)
        params = builder.spec.neuralNetwork.layers[0].convolution.weights
        codes = random.randint(0, 1 << bits, (3, 2, 3, 3))
        if form == "lut":
            weight = quantised(params, codes, bits, lut=rand(1 << bits))
        else:
            scale = (rand(3) + 1.5) / (1 << bits)
            weight = quantised(params, codes, bits, scale, rand(3))
        x = rand(1, 2, 5, 5)
        save(f"quantised_{form}_{bits}", builder, [x], [ort("Conv", x, weight)])

builder = network({"x": (4, 1)}, ["y", "z"])
builder.add_embedding_nd("e", "x", "y", 6, 5, np.zeros((5, 6), np.float32))
builder.add_batched_mat_mul("m", ["y"], "z", weight_matrix_rows=5, weight_matrix_columns=3, W=np.zeros((5, 3), np.float32))
layers = builder.spec.neuralNetwork.layers
table = quantised(layers[0].embeddingND.weights, random.randint(0, 16, (5, 6)), 4, rand(5) / 8, rand(5))
matrix = quantised(layers[1].batchedMatmul.weights, random.randint(0, 256, (3, 5)), 8, rand(3) / 128, rand(3))
i = np.array([[5], [0], [3], [3]], np.float32)
save("quantised_products", builder, [i], [table.T[i[:, 0].astype(int)], table.T[i[:, 0].astype(int)] @ matrix.T])

builder = network({"x": (1, 2, 6, 6)}, ["y"])
builder.add_convolution("c", 2, 3, 3, 3, 1, 1, "valid", 1, rand(3, 3, 2, 3), rand(3), True, input_name="x", output_name="c")
builder.add_flatten("f", 0, "c", "f")
builder.add_inner_product("d", rand(4, 48), rand(4), 48, 4, True, "f", "y")
half = quantize_weights(MLModel(builder.spec), 16)
spec = half if not hasattr(half, "get_spec") else half.get_spec()
conv, dense = spec.neuralNetwork.layers[0].convolution, spec.neuralNetwork.layers[2].innerProduct
read = lambda params, shape: np.frombuffer(params.float16Value, np.float16).astype(np.float32).reshape(shape)
x = rand(1, 2, 6, 6)
y = ort("Conv", x, read(conv.weights, (3, 2, 3, 3)), read(conv.bias, (3,)))
save("half", builder, [x], [(read(dense.weights, (4, 48)) @ y.reshape(48) + read(dense.bias, (4,))).reshape(1, 4, 1, 1)], spec=spec)

control_networks.add(network, save, rand)
computed_networks.add(network, save, rand)
d = rand(4, 3, 3, 2)
for mode, pads in [("BOTTOM_RIGHT_HEAVY", [1, 0, 2, 1]), ("TOP_LEFT_HEAVY", [2, 1, 1, 0])]:
    simple(
        f"deconv_same_output_shape_{mode.split('_')[0].lower()}", (1, 4, 5, 4),
        lambda n: convolution(
            n, d, None, True, mode="same", stride=(2, 2), output_shape=[8, 7], same_padding_asymmetry_mode=mode
        ),
        lambda x: ort("ConvTranspose", x, d, strides=[2, 2], pads=pads),
    )

known_networks.add(network, save, rand)
converted_networks.add(network, save, rand)

with zipfile.ZipFile(pathlib.Path(__file__).parent / "networks.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
    for name in sorted(archive):
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        target.writestr(entry, archive[name])
print(f"{len(archive) // 2} networks")

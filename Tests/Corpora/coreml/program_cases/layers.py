"""Products, convolutions, pools and normalizations."""

import numpy as np
from coremltools.converters.mil.mil import Builder as mb

from programs import case, iOS15, iOS16, iOS17, rand
from reference import ort


w, b = rand(6, 4), rand(6)
case("linear", [rand(3, 4)], lambda x: mb.linear(x=x, weight=w, bias=b), lambda x: x @ w.T + b)
case("matmul", [rand(2, 3, 4), rand(5, 4)], lambda x, y: mb.matmul(x=x, y=y, transpose_y=True), lambda x, y: x @ y.T)
case("matmul_transposed", [rand(4, 3), rand(4, 5)], lambda x, y: mb.matmul(x=x, y=y, transpose_x=True), lambda x, y: x.T @ y, iOS17)
x = rand(2, 4, 7, 6)
w, b = rand(6, 2, 3, 2), rand(6)
case("conv", [x], lambda x: mb.conv(x=x, weight=w, bias=b, groups=2, strides=[2, 1], pad_type="custom", pad=[1, 2, 0, 1],
     dilations=[1, 2]), lambda x: ort("Conv", x, w, b, group=2, strides=[2, 1], pads=[1, 0, 2, 1], dilations=[1, 2]))
case("conv_default", [x], lambda x: mb.conv(x=x, weight=w[:, :, :1, :1], groups=2), lambda x: ort(
    "Conv", x, w[:, :, :1, :1], group=2), iOS17)
for kind, auto in [("same", "SAME_UPPER"), ("same_lower", "SAME_LOWER")]:
    case(f"conv_{kind}", [x], lambda x: mb.conv(x=x, weight=w, groups=2, strides=[2, 3], pad_type=kind), lambda x: ort(
        "Conv", x, w, group=2, strides=[2, 3], auto_pad=auto), iOS16 if kind == "same_lower" else iOS15)
v = rand(3, 2, 3)
case("conv_line", [rand(1, 2, 9)], lambda x: mb.conv(x=x, weight=v, strides=[2]), lambda x: ort("Conv", x, v, strides=[2]))
d, db = rand(4, 3, 3, 3), rand(6)
case("conv_transpose", [x[:, :, :4, :5]], lambda x: mb.conv_transpose(
    x=x, weight=d, bias=db, groups=2, strides=[2, 3], pad_type="custom", pad=[1, 0, 1, 1]), lambda x: ort(
    "ConvTranspose", x, d, db, group=2, strides=[2, 3], pads=[1, 1, 0, 1]))
case("conv_transpose_default", [x[:, :, :4, :5]], lambda x: mb.conv_transpose(x=x, weight=d), lambda x: ort(
    "ConvTranspose", x, d), iOS17)
for name, op in [("avg_pool", "AveragePool"), ("max_pool", "MaxPool"), ("l2_pool", "LpPool")]:
    case(name, [x], lambda x: getattr(mb, name)(x=x, kernel_sizes=[3, 2], strides=[2, 1], pad_type="custom", pad=[1, 1, 1, 0]), (
        lambda x: ort(op, x, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 1, 1, 0], **(
            dict(count_include_pad=1) if name == "avg_pool" else {}))))
    case(f"{name}_default", [rand(1, 2, 8)], lambda x: getattr(mb, name)(x=x, kernel_sizes=[3], pad_type="valid"), (
        lambda x: ort(op, x, kernel_shape=[3])), iOS17)
case("avg_pool_exclude", [x], lambda x: mb.avg_pool(
    x=x, kernel_sizes=[3, 3], strides=[2, 2], pad_type="same", exclude_padding_from_average=True), lambda x: ort(
    "AveragePool", x, kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER"))
case("max_pool_ceil", [x], lambda x: mb.max_pool(
    x=x, kernel_sizes=[2, 2], strides=[2, 2], pad_type="custom", pad=[0, 0, 0, 0], ceil_mode=True), lambda x: ort(
    "MaxPool", x, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1))

x = rand(2, 4, 5, 3)
g, s, m, v = rand(4), rand(4), rand(4), rand(4, low=0.5)
along = lambda t: t[:, None, None]
case("batch_norm", [x], lambda x: mb.batch_norm(x=x, mean=m, variance=v, gamma=g, beta=s, epsilon=1e-3), lambda x: (
    along(g) * (x - along(m)) / np.sqrt(along(v) + 1e-3) + along(s)))
case("batch_norm_default", [x], lambda x: mb.batch_norm(x=x, mean=m, variance=v), lambda x: (
    (x - along(m)) / np.sqrt(along(v) + 1e-5)), iOS17)


def normal(x, axes, epsilon):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


case("instance_norm", [x], lambda x: mb.instance_norm(x=x, gamma=g, beta=s, epsilon=1e-3), lambda x: (
    along(g) * normal(x, (2, 3), 1e-3) + along(s)))
case("layer_norm", [x], lambda x: mb.layer_norm(x=x, axes=[2, 3], gamma=np.ones((5, 3), np.float32) * 2, epsilon=1e-3), lambda x: (
    2 * normal(x, (2, 3), 1e-3)), iOS17)
case("layer_norm_default", [x], lambda x: mb.layer_norm(x=x, axes=[-1]), lambda x: normal(x, (3,), 1e-5))
case("l2_norm", [x], lambda x: mb.l2_norm(x=x, epsilon=1e-3), lambda x: (
    x / np.sqrt((x ** 2).sum((1, 2, 3), keepdims=True) + 1e-3)))
case("local_response_norm", [x], lambda x: mb.local_response_norm(x=x, size=3, alpha=1e-2, beta=0.6, k=1.5), lambda x: ort(
    "LRN", x, size=3, alpha=1e-2, beta=0.6, bias=1.5))

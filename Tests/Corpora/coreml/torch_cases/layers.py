"""Modules of torch.nn."""

import coremltools as ct
import torch
from torch import nn
from torch.nn import functional as F

from torch_programs import case, draw, ints, rand

for rank, conv, transposed in [
    (1, nn.Conv1d, nn.ConvTranspose1d), (2, nn.Conv2d, nn.ConvTranspose2d), (3, nn.Conv3d, nn.ConvTranspose3d)
]:
    size = [draw.randint(6, 9) for _ in range(rank)]
    for turn in range(3):
        groups = [1, 2, 4][turn]
        layer = conv(4, 8, draw.randint(1, 3), stride=draw.randint(1, 2), padding=draw.randint(0, 2), groups=groups,
                     dilation=draw.randint(1, 2), bias=turn != 1)
        case(f"conv{rank}d_{turn}", layer, rand(2, 4, *size))
    case(f"conv{rank}d_same", conv(3, 5, 3, padding="same", dilation=2), rand(1, 3, *size))
    # The converter has no output padding for volumes.
    for turn in range(2 if rank < 3 else 1):
        layer = transposed(4, 6, 3, stride=2, padding=1, output_padding=turn, groups=1 + turn)
        case(f"conv_transpose{rank}d_{turn}", layer, rand(1, 4, *size[:2], *[4] * (rank - 2)))
case("conv2d_reflect", nn.Conv2d(3, 4, 3, padding=1, padding_mode="reflect"), rand(1, 3, 6, 7))
case("conv2d_replicate", nn.Conv2d(3, 4, 3, padding=1, padding_mode="replicate"), rand(1, 3, 6, 7))
case("conv2d_open", nn.Conv2d(3, 4, 3, padding=1), rand(1, 3, 6, 7), flexible=[2, 3])

for rank in (1, 2, 3):
    x = rand(2, 3, *[8, 7, 6][:rank])
    most, mean = getattr(nn, f"MaxPool{rank}d"), getattr(nn, f"AvgPool{rank}d")
    case(f"max_pool{rank}d", most(3, stride=2, padding=1), x)
    case(f"max_pool{rank}d_ceil", most(2, stride=2, ceil_mode=True), x)
    case(f"avg_pool{rank}d", mean(3, stride=2, padding=1), x)
    case(f"avg_pool{rank}d_inside", mean(3, stride=2, padding=1, count_include_pad=False), x)
case("adaptive_avg_pool", nn.AdaptiveAvgPool2d((2, 3)), rand(1, 3, 8, 9))
case("adaptive_avg_pool_whole", nn.AdaptiveAvgPool2d(1), rand(2, 3, 5, 7))
case("adaptive_max_pool", nn.AdaptiveMaxPool2d((2, 4)), rand(1, 3, 8, 8))


def trained(norm):
    """With statistics, scales and shifts that are not those of the beginning."""
    for name, tensor in list(norm.named_parameters()) + list(norm.named_buffers()):
        if tensor.is_floating_point():
            tensor.data.uniform_(0.5, 1.5)
    return norm


for rank in (1, 2, 3):
    case(f"batch_norm{rank}d", trained(getattr(nn, f"BatchNorm{rank}d")(4)), rand(2, 4, *[5, 3, 2][:rank]))
for rank in (1, 2):
    case(f"instance_norm{rank}d", trained(getattr(nn, f"InstanceNorm{rank}d")(4, affine=True)), rand(2, 4, *[7, 5][:rank]))
case("layer_norm", trained(nn.LayerNorm(6)), rand(2, 5, 6))
case("layer_norm_two_axes", trained(nn.LayerNorm([5, 6])), rand(2, 5, 6))
case("layer_norm_plain", nn.LayerNorm(6, elementwise_affine=False), rand(2, 6))
case("group_norm", trained(nn.GroupNorm(2, 6)), rand(2, 6, 4, 3))
case("local_response_norm", nn.LocalResponseNorm(3), rand(1, 6, 4, 4))
case("normalize", lambda x: F.normalize(x, dim=1), rand(2, 5, 3))
case("weight_norm", nn.utils.parametrizations.weight_norm(nn.Conv1d(3, 4, 3)), rand(1, 3, 9))

ACTIVATIONS = {
    "relu": nn.ReLU(), "relu6": nn.ReLU6(), "leaky_relu": nn.LeakyReLU(0.2), "prelu": nn.PReLU(4, 0.3), "elu": nn.ELU(0.7),
    "selu": nn.SELU(), "gelu": nn.GELU(), "gelu_tanh": nn.GELU(approximate="tanh"), "silu": nn.SiLU(),
    "mish": nn.Mish(), "sigmoid": nn.Sigmoid(), "hardsigmoid": nn.Hardsigmoid(), "hardswish": nn.Hardswish(),
    "hardtanh": nn.Hardtanh(-0.4, 0.6), "softplus": nn.Softplus(), "softsign": nn.Softsign(), "tanh": nn.Tanh(),
    "threshold": nn.Threshold(0.1, -2), "softmax": nn.Softmax(1), "softmin": nn.Softmin(2),
    "log_softmax": nn.LogSoftmax(-1), "glu": nn.GLU(1), "tanhshrink": nn.Tanhshrink(),
}
for name, layer in ACTIVATIONS.items():
    case(name, layer, rand(2, 4, 5, low=-3, high=3))

case("linear", nn.Linear(6, 4), rand(3, 5, 6))
case("linear_plain", nn.Linear(6, 4, bias=False), rand(6))
case("linear_open", nn.Linear(6, 4), rand(3, 6), flexible=[0])
case("embedding", nn.Embedding(11, 4), ints(0, 11, 2, 5))
case("embedding_open", nn.Embedding(11, 4), ints(0, 11, 2, 5), flexible=[1])
case("flatten", nn.Sequential(nn.Flatten(1, 2), nn.Linear(7, 3)), rand(2, 3, 4, 7))

case("rnn", nn.RNN(5, 6, batch_first=True), rand(2, 4, 5))
case("rnn_relu", nn.RNN(5, 6, nonlinearity="relu"), rand(4, 2, 5))
case("lstm", nn.LSTM(5, 6), rand(4, 2, 5))
case("lstm_two_ways", nn.LSTM(5, 6, bidirectional=True, batch_first=True), rand(2, 4, 5))
case("lstm_layers", nn.LSTM(5, 6, num_layers=2, bidirectional=True), rand(4, 1, 5))
case("gru", nn.GRU(5, 6), rand(4, 2, 5))
case("gru_layers", nn.GRU(5, 6, num_layers=2, batch_first=True), rand(2, 4, 5))

for mode, corners in [("nearest", None), ("bilinear", False), ("bilinear", True)]:
    case(f"upsample_{mode}_{corners}", nn.Upsample(scale_factor=2, mode=mode, align_corners=corners), rand(1, 2, 4, 5))
case("interpolate_size", lambda x: F.interpolate(x, size=(7, 9), mode="bilinear", align_corners=True), rand(1, 2, 4, 5))
case("interpolate_nearest_size", lambda x: F.interpolate(x, size=(8, 10)), rand(1, 2, 4, 5))
case("pixel_shuffle", nn.PixelShuffle(2), rand(1, 8, 3, 4))
case("pixel_unshuffle", nn.PixelUnshuffle(2), rand(1, 2, 6, 4), target=ct.target.iOS16)
case("zero_pad", nn.ZeroPad2d((1, 2, 0, 3)), rand(1, 2, 4, 5))
case("reflection_pad", nn.ReflectionPad2d((1, 2, 2, 1)), rand(1, 2, 4, 5))
case("replication_pad", nn.ReplicationPad2d((1, 2, 2, 1)), rand(1, 2, 4, 5))
case("constant_pad", lambda x: F.pad(x, (1, 0, 2, 1, 0, 1), value=0.5), rand(2, 3, 4, 5))
case("grid_sample", lambda x, g: F.grid_sample(x, g, align_corners=False, padding_mode="zeros"), rand(1, 2, 5, 6), rand(
    1, 3, 4, 2))
case("affine_grid", lambda x: F.grid_sample(x, F.affine_grid(torch.tensor([[[0.8, 0.1, 0.1], [-0.2, 0.9, 0]]]), [
    1, 2, 4, 4], align_corners=False), align_corners=False), rand(1, 2, 4, 4))

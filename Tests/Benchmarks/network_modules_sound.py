"""Networks for waves of sound, as small modules of torch: what network_modules.py is for other kinds."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from network_modules import Attention


class Wav2Vec(nn.Module):
    """The encoder of wav2vec 2.0 base: seven convolutions over samples, a grouped one for places, twelve layers."""

    def __init__(self, width=768, heads=12, depth=12, channels=512):
        super().__init__()
        kernels, strides = (10, 3, 3, 3, 3, 2, 2), (5, 2, 2, 2, 2, 2, 2)
        widths = (1,) + 7 * (channels,)
        self.convs = nn.ModuleList(
            nn.Conv1d(a, b, k, s, bias=False) for a, b, k, s in zip(widths, widths[1:], kernels, strides))
        self.group_norm = nn.GroupNorm(channels, channels)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * depth))
        self.project = nn.Sequential(nn.LayerNorm(channels), nn.Linear(channels, width))
        self.places = nn.Conv1d(width, width, 128, padding=64, groups=16)
        self.first = nn.LayerNorm(width)
        self.attends = nn.ModuleList(Attention(width, heads) for _ in range(depth))
        self.thinks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)) for _ in range(depth))

    def forward(self, samples):
        x = samples[:, None]
        for place, conv in enumerate(self.convs):
            x = conv(x)
            x = F.gelu(self.group_norm(x) if place == 0 else x)
        x = self.project(x.transpose(1, 2))
        x = self.first(x + F.gelu(self.places(x.transpose(1, 2))[:, :, :-1]).transpose(1, 2))
        for place, (attend, think) in enumerate(zip(self.attends, self.thinks)):
            x = self.norms[2 * place](x + attend(x))
            x = self.norms[2 * place + 1](x + think(x))
        return x


class Padded(nn.Module):
    """A convolution that sees no samples of the future; the sound is mirrored at its start."""

    def __init__(self, channels, filters, kernel, stride=1, dilation=1):
        super().__init__()
        self.conv = nn.Conv1d(channels, filters, kernel, stride, dilation=dilation)
        self.pad = (kernel - 1) * dilation - (stride - 1)

    def forward(self, x):
        return self.conv(F.pad(x, (self.pad, 0), mode="reflect"))


class EncodecBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.steps = nn.Sequential(nn.ELU(), Padded(width, width // 2, 3), nn.ELU(), Padded(width // 2, width, 1))
        self.skip = Padded(width, width, 1)

    def forward(self, x):
        return self.skip(x) + self.steps(x)


class Encodec(nn.Module):
    """A codec's encoder and decoder in the shape of EnCodec: strided convolutions, two LSTMs, transposed ones."""

    def __init__(self, width=32, rates=(2, 4, 5, 8), codes=128):
        super().__init__()
        widths = [width << place for place in range(len(rates) + 1)]
        deepest = widths[-1]
        self.first = Padded(1, width, 7)
        self.down = nn.ModuleList(
            nn.Sequential(EncodecBlock(a), nn.ELU(), Padded(a, b, 2 * rate, rate))
            for a, b, rate in zip(widths, widths[1:], rates))
        self.remember = nn.ModuleList(nn.LSTM(deepest, deepest, 2, batch_first=True) for _ in range(2))
        self.encode, self.decode = Padded(deepest, codes, 7), Padded(codes, deepest, 7)
        self.up = nn.ModuleList(
            nn.ModuleList([nn.ConvTranspose1d(b, a, 2 * rate, rate), EncodecBlock(a)])
            for a, b, rate in reversed(list(zip(widths, widths[1:], rates))))
        self.last = Padded(width, 1, 7)

    def forward(self, samples):
        x = self.first(samples[:, None])
        for step in self.down:
            x = step(x)
        x = x + self.remember[0](x.transpose(1, 2))[0].transpose(1, 2)
        x = self.decode(self.encode(F.elu(x)))
        x = x + self.remember[1](x.transpose(1, 2))[0].transpose(1, 2)
        for conv, block in self.up:
            x = block(conv(F.elu(x))[:, :, : -conv.stride[0]])
        return self.last(F.elu(x))


class WaveNet(nn.Module):
    """Non-causal WaveNet, as vocoders have it: gates of dilated convolutions, conditioned on mel spectra."""

    def __init__(self, mels=80, width=64, skips=64, layers=10, stacks=2, hop=64):
        super().__init__()
        self.hop, self.width = hop, width
        self.first = nn.Conv1d(1, width, 1)
        dilations = [1 << layer for _ in range(stacks) for layer in range(layers)]
        self.gates = nn.ModuleList(nn.Conv1d(width, 2 * width, 3, padding=d, dilation=d) for d in dilations)
        self.mels = nn.ModuleList(nn.Conv1d(mels, 2 * width, 1, bias=False) for _ in dilations)
        self.outs = nn.ModuleList(nn.Conv1d(width, width + skips, 1) for _ in dilations)
        self.last = nn.Sequential(nn.ReLU(), nn.Conv1d(skips, skips, 1), nn.ReLU(), nn.Conv1d(skips, 1, 1))

    def forward(self, noise, mels):
        x, total = self.first(noise), 0
        mels = F.interpolate(mels, scale_factor=float(self.hop))
        for gate, condition, out in zip(self.gates, self.mels, self.outs):
            a, b = (gate(x) + condition(mels)).chunk(2, 1)
            y = out(a.tanh() * b.sigmoid())
            x, total = (x + y[:, : self.width]) * math.sqrt(0.5), total + y[:, self.width :]
        return self.last(total * math.sqrt(1 / len(self.gates)))

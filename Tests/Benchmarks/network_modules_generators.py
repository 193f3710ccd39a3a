"""Networks that draw pictures, as small modules of torch: what network_modules.py is for other kinds."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class VaeBlock(nn.Module):
    def __init__(self, channels, filters):
        super().__init__()
        self.norms = nn.ModuleList([nn.GroupNorm(32, channels, 1e-6), nn.GroupNorm(32, filters, 1e-6)])
        self.convs = nn.ModuleList([nn.Conv2d(channels, filters, 3, 1, 1), nn.Conv2d(filters, filters, 3, 1, 1)])
        self.skip = nn.Conv2d(channels, filters, 1) if channels != filters else nn.Identity()

    def forward(self, x):
        y = x
        for norm, conv in zip(self.norms, self.convs):
            y = conv(F.silu(norm(y)))
        return self.skip(x) + y


class VaeAttention(nn.Module):
    """One head over all pixels, by convolutions of one pixel."""

    def __init__(self, width):
        super().__init__()
        self.norm = nn.GroupNorm(32, width, 1e-6)
        self.q, self.k, self.v, self.out = (nn.Conv2d(width, width, 1) for _ in range(4))

    def forward(self, x):
        batch, channels, height, width = x.shape
        y = self.norm(x)
        q, k, v = (f(y).reshape(batch, channels, height * width) for f in (self.q, self.k, self.v))
        share = (torch.bmm(q.permute(0, 2, 1), k) * channels**-0.5).softmax(2)
        return x + self.out(torch.bmm(v, share.permute(0, 2, 1)).reshape(batch, channels, height, width))


class VaeDecoder(nn.Module):
    """Pictures from latents in the shape of Stable Diffusion's decoder, with half of its channels."""

    def __init__(self, widths=(256, 256, 128, 64)):
        super().__init__()
        width = widths[0]
        self.first = nn.Sequential(nn.Conv2d(4, 4, 1), nn.Conv2d(4, width, 3, 1, 1))
        self.middle = nn.Sequential(VaeBlock(width, width), VaeAttention(width), VaeBlock(width, width))
        self.stages, self.grow = nn.ModuleList(), nn.ModuleList()
        for filters in widths:
            self.stages.append(nn.Sequential(VaeBlock(width, filters), VaeBlock(filters, filters)))
            width = filters
        self.grow = nn.ModuleList(nn.Conv2d(size, size, 3, 1, 1) for size in widths[:-1])
        self.norm, self.last = nn.GroupNorm(32, width, 1e-6), nn.Conv2d(width, 3, 3, 1, 1)

    def forward(self, x):
        x = self.middle(self.first(x))
        for place, stage in enumerate(self.stages):
            x = stage(x)
            if place < len(self.grow):
                x = self.grow[place](F.interpolate(x, scale_factor=2.0, mode="nearest"))
        return self.last(F.silu(self.norm(x)))


class Modulated(nn.Module):
    """StyleGAN 2's convolution: a style scales its weights, which then get unit length; each picture has its own."""

    def __init__(self, channels, filters, style, kernel=3, unit=True):
        super().__init__()
        self.style, self.unit = nn.Linear(style, channels), unit
        self.weight = nn.Parameter(torch.randn(filters, channels, kernel, kernel) / math.sqrt(channels * kernel**2))
        self.bias = nn.Parameter(torch.randn(filters, 1, 1) / 8)

    def forward(self, x, style, grow=False):
        batch, channels, height, width = x.shape
        weight = self.weight[None] * (1 + self.style(style))[:, None, :, None, None]
        if self.unit:
            weight = weight * torch.rsqrt(weight.square().sum((2, 3, 4), keepdim=True) + 1e-8)
        x = x.reshape(1, batch * channels, height, width)
        kernel = weight.shape[3]
        if grow:
            weight = weight.transpose(1, 2).reshape(batch * channels, -1, kernel, kernel)
            x = F.conv_transpose2d(x, weight, stride=2, groups=batch)
        else:
            weight = weight.reshape(-1, channels, kernel, kernel)
            x = F.conv2d(x, weight, padding=kernel // 2, groups=batch)
        return x.reshape(batch, -1, x.shape[2], x.shape[3]) + (0 if grow else self.bias)


class StyleGan(nn.Module):
    """Faces in the shape of StyleGAN 2: mapped styles, modulated convolutions, smoothed growing, summed pictures."""

    def __init__(self, style=256, widths=(256, 256, 256, 128, 64)):
        super().__init__()
        self.map = nn.Sequential(*[layer for _ in range(4) for layer in (nn.Linear(style, style), nn.LeakyReLU(0.2))])
        self.start = nn.Parameter(torch.randn(1, widths[0], 4, 4))
        self.grow = nn.ModuleList(Modulated(a, b, style) for a, b in zip(widths, widths[1:]))
        self.same = nn.ModuleList(Modulated(width, width, style) for width in widths)
        self.colour = nn.ModuleList(Modulated(width, 3, style, 1, False) for width in widths)
        self.noises = nn.ParameterList(torch.randn(4 << place, 4 << place) / 8 for place in range(len(widths)))
        smooth = torch.tensor([1.0, 3.0, 3.0, 1.0])
        self.register_buffer("smooth", (smooth[:, None] * smooth / 16)[None, None])

    def smoothed(self, x, pad):
        batch, channels, height, width = x.shape
        x = F.pad(x.reshape(-1, 1, height, width), pad)
        return F.conv2d(x, self.smooth).reshape(batch, channels, *(size - 3 + 2 * pad[0] for size in (height, width)))

    def forward(self, z):
        style = self.map(z * torch.rsqrt(z.square().mean(1, keepdim=True) + 1e-8))
        x, picture = self.start.repeat(z.shape[0], 1, 1, 1), None
        for place, (same, colour) in enumerate(zip(self.same, self.colour)):
            if place:
                x = self.smoothed(self.grow[place - 1](x, style, True), (1, 1, 1, 1))
                x = F.leaky_relu(x + self.grow[place - 1].bias, 0.2)
            x = F.leaky_relu(same(x, style) + self.noises[place], 0.2)
            y = colour(x, style)
            if picture is not None:
                y = y + F.interpolate(picture, scale_factor=2.0, mode="bilinear")
            picture = y
        return picture


class StyleTransfer(nn.Module):
    """A picture in another style: mirrored pads, instance norms, residual blocks, nearest resizes."""

    def __init__(self, width=32, depth=5):
        super().__init__()

        def step(a, b, kernel, stride=1, act=nn.ReLU):
            conv = nn.Conv2d(a, b, kernel, stride)
            return nn.Sequential(nn.ReflectionPad2d(kernel // 2), conv, nn.InstanceNorm2d(b, affine=True), act())

        self.down = nn.Sequential(step(3, width, 9), step(width, 2 * width, 3, 2), step(2 * width, 4 * width, 3, 2))
        self.blocks = nn.ModuleList(
            nn.Sequential(step(4 * width, 4 * width, 3), step(4 * width, 4 * width, 3, act=nn.Identity))
            for _ in range(depth))
        self.up = nn.ModuleList([step(4 * width, 2 * width, 3), step(2 * width, width, 3)])
        self.last = nn.Sequential(nn.ReflectionPad2d(4), nn.Conv2d(width, 3, 9))

    def forward(self, x):
        x = self.down(x)
        for block in self.blocks:
            x = x + block(x)
        for step in self.up:
            x = step(F.interpolate(x, scale_factor=2.0, mode="nearest"))
        return self.last(x)

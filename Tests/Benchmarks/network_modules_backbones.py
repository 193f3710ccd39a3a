"""Backbones for pictures and videos, as small modules of torch: what network_modules.py is for other kinds."""

import torch
import torch.nn.functional as F
from torch import nn

from network_modules import convolved
from network_modules_pictures import Bottleneck


class PoolFormerBlock(nn.Module):
    """A mean of neighbours in place of attention, scaled by channel; norms over a whole picture."""

    def __init__(self, width):
        super().__init__()
        self.norms = nn.ModuleList([nn.GroupNorm(1, width), nn.GroupNorm(1, width)])
        self.pool = nn.AvgPool2d(3, 1, 1, count_include_pad=False)
        self.think = nn.Sequential(nn.Conv2d(width, 4 * width, 1), nn.GELU(), nn.Conv2d(4 * width, width, 1))
        self.layer_scale = nn.Parameter(torch.full((2, width, 1, 1), 0.5))

    def forward(self, x):
        y = self.norms[0](x)
        x = x + self.layer_scale[0] * (self.pool(y) - y)
        return x + self.layer_scale[1] * self.think(self.norms[1](x))


class PoolFormer(nn.Module):
    """Classification in the shape of PoolFormer-S12."""

    def __init__(self, widths=(64, 128, 320, 512), depths=(2, 2, 6, 2), classes=1000):
        super().__init__()
        layers, before = [], 3
        for place, (width, depth) in enumerate(zip(widths, depths)):
            layers.append(nn.Conv2d(before, width, 3, 2, 1) if place else nn.Conv2d(before, width, 7, 4, 2))
            layers += [PoolFormerBlock(width) for _ in range(depth)]
            before = width
        self.layers, self.norm = nn.Sequential(*layers), nn.GroupNorm(1, before)
        self.classify = nn.Linear(before, classes)

    def forward(self, x):
        return self.classify(self.norm(self.layers(x)).mean((-2, -1)))


class MixerBlock(nn.Module):
    """A feed-forward network along the patches, another along the channels."""

    def __init__(self, patches, width, inner):
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.mix = nn.Sequential(nn.Linear(patches, inner), nn.GELU(), nn.Linear(inner, patches))
        self.think = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.mix(self.norms[0](x).transpose(1, 2)).transpose(1, 2)
        return x + self.think(self.norms[1](x))


class Mixer(nn.Module):
    """Classification in the shape of MLP-Mixer-S/16."""

    def __init__(self, width=512, depth=8, patches=196, classes=1000):
        super().__init__()
        self.embed = nn.Conv2d(3, width, 16, 16)
        self.blocks = nn.Sequential(*[MixerBlock(patches, width, width // 2) for _ in range(depth)])
        self.norm, self.classify = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, x):
        return self.classify(self.norm(self.blocks(self.embed(x).flatten(2).transpose(1, 2))).mean(1))


class ConvMixer(nn.Module):
    """Patches, then depthwise convolutions of nine by nine around which a residual goes, and pointwise ones."""

    def __init__(self, width=256, depth=8, kernel=9, patch=7, classes=1000):
        super().__init__()
        self.embed = nn.Sequential(nn.Conv2d(3, width, patch, patch), nn.GELU(), nn.BatchNorm2d(width))

        def step(kernel, groups):
            conv = nn.Conv2d(width, width, kernel, padding=kernel // 2, groups=groups)
            return nn.Sequential(conv, nn.GELU(), nn.BatchNorm2d(width))

        self.spread = nn.ModuleList(step(kernel, width) for _ in range(depth))
        self.think = nn.ModuleList(step(1, 1) for _ in range(depth))
        self.classify = nn.Linear(width, classes)

    def forward(self, x):
        x = self.embed(x)
        for spread, think in zip(self.spread, self.think):
            x = think(x + spread(x))
        return self.classify(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Ghost(nn.Module):
    """Half of the channels by a pointwise convolution, the other half of those by a depthwise one."""

    def __init__(self, channels, filters, act):
        super().__init__()
        self.filters, half = filters, -(-filters // 2)
        self.main, self.cheap = convolved(channels, half, 1, act=act), convolved(half, half, 3, 1, half, act)

    def forward(self, x):
        x = self.main(x)
        return torch.cat([x, self.cheap(x)], 1)[:, : self.filters]


class GhostBlock(nn.Module):
    def __init__(self, channels, inner, filters, kernel, stride, gated):
        super().__init__()
        self.open, self.close = Ghost(channels, inner, nn.ReLU), Ghost(inner, filters, nn.Identity)
        self.shrink = convolved(inner, inner, kernel, stride, inner, nn.Identity) if stride > 1 else nn.Identity()
        narrow = -(-inner // 32) * 8
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(inner, narrow, 1), nn.ReLU(), nn.Conv2d(narrow, inner, 1),
            nn.Hardsigmoid()) if gated else None
        self.skip = nn.Identity() if stride == 1 and channels == filters else nn.Sequential(
            convolved(channels, channels, kernel, stride, channels, nn.Identity),
            convolved(channels, filters, 1, act=nn.Identity))

    def forward(self, x):
        y = self.shrink(self.open(x))
        return self.skip(x) + self.close(y * self.gate(y) if self.gate else y)


class GhostNet(nn.Module):
    """Classification in the shape of GhostNet 1.0."""

    STEPS = (
        (16, 16, 3, 1, 0), (48, 24, 3, 2, 0), (72, 24, 3, 1, 0), (72, 40, 5, 2, 1), (120, 40, 5, 1, 1),
        (240, 80, 3, 2, 0), (200, 80, 3, 1, 0), (184, 80, 3, 1, 0), (184, 80, 3, 1, 0), (480, 112, 3, 1, 1),
        (672, 112, 3, 1, 1), (672, 160, 5, 2, 1), (960, 160, 5, 1, 0), (960, 160, 5, 1, 1), (960, 160, 5, 1, 0))

    def __init__(self, classes=1000):
        super().__init__()
        layers, channels = [convolved(3, 16, stride=2, act=nn.ReLU)], 16
        for inner, filters, kernel, stride, gated in self.STEPS:
            layers.append(GhostBlock(channels, inner, filters, kernel, stride, gated))
            channels = filters
        self.layers = nn.Sequential(*layers, convolved(channels, 960, 1, act=nn.ReLU), nn.AdaptiveAvgPool2d(1))
        self.last = nn.Sequential(nn.Conv2d(960, 1280, 1), nn.ReLU())
        self.classify = nn.Linear(1280, classes)

    def forward(self, x):
        return self.classify(self.last(self.layers(x)).flatten(1))


class Basic(nn.Module):
    """Two convolutions and a residual."""

    def __init__(self, width):
        super().__init__()
        self.steps = nn.Sequential(convolved(width, width, act=nn.ReLU), convolved(width, width, act=nn.Identity))

    def forward(self, x):
        return F.relu(x + self.steps(x))


class HighResolution(nn.Module):
    """Keypoints in the shape of HRNet: branches of four scales in parallel, each summed with all others resized."""

    def __init__(self, width=18, joints=17, depth=2):
        super().__init__()
        self.stem = nn.Sequential(convolved(3, 64, stride=2, act=nn.ReLU), convolved(64, 64, stride=2, act=nn.ReLU))
        self.first = nn.Sequential(Bottleneck(64, 64, 1), Bottleneck(256, 64, 1))
        widths = [width << scale for scale in range(4)]
        self.enter = nn.ModuleList([convolved(256, width, act=nn.ReLU)])
        self.enter += [convolved(256 if i == 1 else widths[i - 1], widths[i], stride=2, act=nn.ReLU) for i in (1, 2, 3)]
        self.branches, self.fuses = nn.ModuleList(), nn.ModuleList()
        for count in (2, 3, 4):
            here = widths[:count]
            self.branches.append(nn.ModuleList(nn.Sequential(*[Basic(w) for _ in range(depth)]) for w in here))
            self.fuses.append(nn.ModuleList(
                nn.ModuleList(self.fuse(here, i, j) for j in range(count)) for i in range(count)))
        self.last = nn.Conv2d(width, joints, 1)

    def fuse(self, widths, into, out_of):
        a, b = widths[out_of], widths[into]
        if out_of > into:
            scale = 1 << (out_of - into)
            return nn.Sequential(convolved(a, b, 1, act=nn.Identity), nn.Upsample(scale_factor=scale, mode="nearest"))
        steps = [convolved(a, a, stride=2, act=nn.ReLU) for _ in range(into - out_of - 1)]
        return nn.Sequential(*steps, convolved(a, b, stride=2, act=nn.Identity)) if into > out_of else nn.Identity()

    def forward(self, x):
        x = self.first(self.stem(x))
        maps = [self.enter[0](x), self.enter[1](x)]
        for stage, (branches, fuses) in enumerate(zip(self.branches, self.fuses)):
            maps = [branch(y) for branch, y in zip(branches, maps)]
            maps = [F.relu(sum(fuse(y) for fuse, y in zip(row, maps))) for row in fuses]
            if stage < 2:
                maps.append(self.enter[stage + 2](maps[-1]))
        return self.last(maps[0])


class Separable(nn.Module):
    """NASNet's: rectified, depthwise, pointwise; twice."""

    def __init__(self, width, kernel):
        super().__init__()
        steps = []
        for _ in range(2):
            steps += [nn.ReLU(), nn.Conv2d(width, width, kernel, padding=kernel // 2, groups=width, bias=False),
                      nn.Conv2d(width, width, 1, bias=False), nn.BatchNorm2d(width)]
        self.steps = nn.Sequential(*steps)

    def forward(self, x):
        return self.steps(x)


class NasCell(nn.Module):
    """The cell before and the one before that: separable convolutions and means, pairs of them summed, concatenated."""

    def __init__(self, older, old, width):
        super().__init__()
        self.squeeze = nn.ModuleList(
            nn.Sequential(nn.ReLU(), nn.Conv2d(a, width, 1, bias=False), nn.BatchNorm2d(width)) for a in (older, old))
        self.convs = nn.ModuleList(Separable(width, kernel) for kernel in (5, 3, 5, 3, 3))
        self.pool = nn.AvgPool2d(3, 1, 1, count_include_pad=False)

    def forward(self, older, old):
        a, b = self.squeeze[0](older), self.squeeze[1](old)
        return torch.cat([
            a, self.convs[0](b) + self.convs[1](a), self.convs[2](a) + self.convs[3](a), self.pool(b) + a,
            self.pool(a) + self.pool(a), self.convs[4](b) + b], 1)


class NasNet(nn.Module):
    """Classification in the shape of NASNet-A mobile: cells in three scales, each reading two before it."""

    def __init__(self, width=44, depth=4, classes=1000):
        super().__init__()
        self.stem = nn.Sequential(convolved(3, 32, stride=2, act=nn.Identity), convolved(32, width, stride=2))
        self.cells, self.shrink, channels = nn.ModuleList(), nn.ModuleList(), width
        for stage in range(3):
            here = width << stage
            cells, before = nn.ModuleList(), (channels, channels)
            for _ in range(depth):
                cells.append(NasCell(*before, here))
                before = before[1], 6 * here
            self.cells.append(cells)
            channels = 6 * here
            last = stage == 2
            self.shrink.append(nn.Identity() if last else convolved(channels, channels // 2, 1, 2, act=nn.Identity))
            channels = channels // 2
        self.classify = nn.Linear(6 * here, classes)

    def forward(self, x):
        x = self.stem(x)
        for cells, shrink in zip(self.cells, self.shrink):
            older = old = x
            for cell in cells:
                older, old = old, cell(older, old)
            x = shrink(old)
        return self.classify(F.relu(x).mean((2, 3)))

"""Transformers for pictures, as small modules of torch: what network_modules.py is for other kinds."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from network_modules import convolved
from network_modules_pictures import bottlenecks


def thinking(width, inner, act=nn.GELU):
    return nn.Sequential(nn.Linear(width, inner), act(), nn.Linear(inner, width))


class DetrLayer(nn.Module):
    """PyTorch's attention, sequence first: of a set to itself, and to a memory if there is one; both have places."""

    def __init__(self, width, heads, inner, crossing):
        super().__init__()
        self.attends = nn.ModuleList(nn.MultiheadAttention(width, heads) for _ in range(1 + crossing))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 + crossing))
        self.think = thinking(width, inner, nn.ReLU)

    def forward(self, x, places, memory=None, memory_places=None):
        asked = x + places
        x = self.norms[0](x + self.attends[0](asked, asked, x, need_weights=False)[0])
        if memory is not None:
            y = self.attends[1](x + places, memory + memory_places, memory, need_weights=False)[0]
            x = self.norms[2](x + y)
        return self.norms[1](x + self.think(x))


class Detr(nn.Module):
    """Detection of a set: ResNet-50, an encoder over its cells, a decoder whose queries ask them."""

    def __init__(self, cells=100, width=256, heads=8, depth=6, queries=100, classes=91, depths=(3, 4, 6, 3)):
        super().__init__()
        layers, channels = bottlenecks(depths)
        self.backbone, self.project = nn.Sequential(*layers), nn.Conv2d(channels, width, 1)
        self.places = nn.Parameter(torch.randn(cells, 1, width))
        self.queries = nn.Parameter(torch.randn(queries, 1, width))
        self.encode = nn.ModuleList(DetrLayer(width, heads, 2048, False) for _ in range(depth))
        self.decode = nn.ModuleList(DetrLayer(width, heads, 2048, True) for _ in range(depth))
        self.last, self.classes = nn.LayerNorm(width), nn.Linear(width, classes + 1)
        self.boxes = nn.Sequential(nn.Linear(width, width), nn.ReLU(), thinking(width, width, nn.ReLU))
        self.corners = nn.Linear(width, 4)

    def forward(self, x):
        memory = self.project(self.backbone(x)).flatten(2).permute(2, 0, 1)
        for layer in self.encode:
            memory = layer(memory, self.places)
        y = torch.zeros_like(self.queries).repeat(1, x.shape[0], 1)
        for layer in self.decode:
            y = layer(y, self.queries, memory, self.places)
        y = self.last(y).transpose(0, 1)
        return self.classes(y), self.corners(self.boxes(y)).sigmoid()


class SegFormerBlock(nn.Module):
    """Attention to a shrunken map, a feed-forward network with a depthwise convolution inside."""

    def __init__(self, width, heads, shrink):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))
        self.shrink = nn.Conv2d(width, width, shrink, shrink) if shrink > 1 else None
        self.open, self.close = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.mix = nn.Conv2d(4 * width, 4 * width, 3, 1, 1, groups=4 * width)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, x, height, width):
        batch, length, channels = x.shape
        y = read = self.norms[0](x)
        if self.shrink is not None:
            read = self.shrink(y.transpose(1, 2).reshape(batch, channels, height, width))
            read = self.norms[1](read.flatten(2).transpose(1, 2))
        q, k, v = self.split(self.q(y)), self.split(self.k(read)), self.split(self.v(read))
        share = (q @ k.transpose(-1, -2) / math.sqrt(channels // self.heads)).softmax(-1)
        x = x + self.out((share @ v).transpose(1, 2).reshape(batch, length, channels))
        y = self.open(self.norms[2](x)).transpose(1, 2).view(batch, 4 * channels, height, width)
        return x + self.close(F.gelu(self.mix(y).flatten(2).transpose(1, 2)))


class SegFormer(nn.Module):
    """Segmentation in the shape of SegFormer-B0: four scales of blocks, all of them resized and concatenated."""

    def __init__(self, widths=(32, 64, 160, 256), heads=(1, 2, 5, 8), shrinks=(8, 4, 2, 1), inner=256, classes=150):
        super().__init__()
        before, sizes = (3,) + widths, ((7, 4, 3), (3, 2, 1), (3, 2, 1), (3, 2, 1))
        self.embed = nn.ModuleList(nn.Conv2d(a, b, *size) for a, b, size in zip(before, widths, sizes))
        self.firsts = nn.ModuleList(nn.LayerNorm(width) for width in widths)
        self.lasts = nn.ModuleList(nn.LayerNorm(width) for width in widths)
        self.stages = nn.ModuleList(
            nn.ModuleList(SegFormerBlock(*settings) for _ in range(2)) for settings in zip(widths, heads, shrinks))
        self.same = nn.ModuleList(nn.Linear(width, inner) for width in widths)
        self.fuse, self.classify = convolved(4 * inner, inner, 1, act=nn.ReLU), nn.Conv2d(inner, classes, 1)

    def forward(self, x):
        seen = []
        for place, stage in enumerate(self.stages):
            x = self.embed[place](x)
            batch, channels, height, width = x.shape
            x = self.firsts[place](x.flatten(2).transpose(1, 2))
            for block in stage:
                x = block(x, height, width)
            x = self.lasts[place](x)
            y = self.same[place](x).transpose(1, 2).reshape(batch, -1, height, width)
            x = x.transpose(1, 2).reshape(batch, channels, height, width)
            seen.append(F.interpolate(y, seen[0].shape[2:], mode="bilinear") if seen else y)
        return self.classify(self.fuse(torch.cat(seen[::-1], 1)))


class MobileViTBlock(nn.Module):
    """A convolution, a transformer over every fourth pixel, its map folded back and concatenated with what came in."""

    def __init__(self, channels, width, depth, heads=4):
        super().__init__()
        self.open = nn.Sequential(convolved(channels, channels), nn.Conv2d(channels, width, 1, bias=False))
        layer = [nn.TransformerEncoderLayer(width, heads, 2 * width, 0, F.silu, batch_first=True, norm_first=True)
                 for _ in range(depth)]
        self.layers, self.last = nn.ModuleList(layer), nn.LayerNorm(width)
        self.close, self.merge = convolved(width, channels, 1), convolved(2 * channels, channels)

    def forward(self, x):
        y = self.open(x)
        batch, width, rows, columns = y.shape
        y = y.reshape(batch * width * (rows // 2), 2, columns // 2, 2).transpose(1, 2)
        y = y.reshape(batch, width, rows * columns // 4, 4).transpose(1, 3).reshape(batch * 4, -1, width)
        for layer in self.layers:
            y = layer(y)
        y = self.last(y).view(batch, 4, -1, width).transpose(1, 3)
        y = y.reshape(batch * width * (rows // 2), columns // 2, 2, 2).transpose(1, 2)
        y = y.reshape(batch, width, rows, columns)
        return self.merge(torch.cat([x, self.close(y)], 1))


class Inverted(nn.Module):
    """Pointwise, depthwise, pointwise without activation."""

    def __init__(self, channels, filters, stride, act=nn.SiLU):
        super().__init__()
        inner = 4 * channels
        self.steps = nn.Sequential(
            convolved(channels, inner, 1, act=act), convolved(inner, inner, 3, stride, inner, act),
            nn.Conv2d(inner, filters, 1, bias=False), nn.BatchNorm2d(filters))
        self.same = stride == 1 and channels == filters

    def forward(self, x):
        return x + self.steps(x) if self.same else self.steps(x)


class MobileViT(nn.Module):
    """Classification in the shape of MobileViT-S."""

    def __init__(self, classes=1000):
        super().__init__()
        self.layers = nn.Sequential(
            convolved(3, 16, stride=2), Inverted(16, 32, 1), Inverted(32, 64, 2), Inverted(64, 64, 1),
            Inverted(64, 64, 1), Inverted(64, 96, 2), MobileViTBlock(96, 144, 2), Inverted(96, 128, 2),
            MobileViTBlock(128, 192, 4), Inverted(128, 160, 2), MobileViTBlock(160, 240, 3), convolved(160, 640, 1))
        self.classify = nn.Linear(640, classes)

    def forward(self, x):
        return self.classify(self.layers(x).mean((2, 3)))


class LinearAttention(nn.Module):
    """EfficientViT's: keys and values are summed over pixels before queries come, at two scales; no softmax."""

    def __init__(self, width, size=16):
        super().__init__()
        self.size = size
        self.qkv = nn.Conv2d(width, 3 * width, 1, bias=False)
        self.wider = nn.Sequential(
            nn.Conv2d(3 * width, 3 * width, 5, 1, 2, groups=3 * width, bias=False),
            nn.Conv2d(3 * width, 3 * width, 1, groups=3 * width // size, bias=False))
        self.out = nn.Sequential(nn.Conv2d(2 * width, width, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        batch, _, rows, columns = x.shape
        y = self.qkv(x)
        y = torch.cat([y, self.wider(y)], 1).reshape(batch, -1, 3 * self.size, rows * columns).transpose(2, 3)
        q, k, v = F.relu(y[..., : self.size]), F.relu(y[..., self.size : 2 * self.size]), y[..., 2 * self.size :]
        y = q @ (k.transpose(2, 3) @ F.pad(v, (0, 1), value=1.0))
        y = y[..., :-1] / (y[..., -1:] + 1e-6)
        return x + self.out(y.transpose(2, 3).reshape(batch, -1, rows, columns))


class EfficientViT(nn.Module):
    """Classification in the shape of EfficientViT-B1."""

    def __init__(self, classes=1000, widths=(16, 32, 64, 128, 256), depths=(1, 2, 3, 3, 4)):
        super().__init__()
        layers = [convolved(3, 16, stride=2, act=nn.Hardswish)]
        layers += [Inverted(16, 16, 1, nn.Hardswish) for _ in range(depths[0])]
        for place in range(1, 5):
            layers.append(Inverted(widths[place - 1], widths[place], 2, nn.Hardswish))
            for _ in range(depths[place]):
                layers += [LinearAttention(widths[place])] if place > 2 else []
                layers.append(Inverted(widths[place], widths[place], 1, nn.Hardswish))
        self.layers = nn.Sequential(*layers, convolved(256, 1536, 1, act=nn.Hardswish), nn.AdaptiveAvgPool2d(1))
        self.classify = nn.Sequential(
            nn.Linear(1536, 1600), nn.LayerNorm(1600), nn.Hardswish(), nn.Linear(1600, classes))

    def forward(self, x):
        return self.classify(self.layers(x).flatten(1))


class WindowedBlock(nn.Module):
    """SAM's: attention in padded windows or everywhere, with scores of distances by row and by column."""

    def __init__(self, width, heads, window, side):
        super().__init__()
        self.heads, self.window = heads, window
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.norms, self.think = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)]), thinking(width, 4 * width)
        side = window or side
        far = 2 * side - 1
        self.rows = nn.Parameter(torch.randn(far, width // heads) / 8)
        self.columns = nn.Parameter(torch.randn(far, width // heads) / 8)
        self.register_buffer("distances", torch.arange(side)[:, None] - torch.arange(side)[None] + side - 1)

    def attend(self, x):
        batch, rows, columns, width = x.shape
        y = self.qkv(x).reshape(batch, rows * columns, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = y.reshape(3, batch * self.heads, rows * columns, -1).unbind(0)
        scores = (q * (width // self.heads) ** -0.5) @ k.transpose(-2, -1)
        placed = q.reshape(batch * self.heads, rows, columns, -1)
        by_row = torch.einsum("bhwc,hkc->bhwk", placed, self.rows[self.distances])
        by_column = torch.einsum("bhwc,wkc->bhwk", placed, self.columns[self.distances])
        scores = scores.view(-1, rows, columns, rows, columns) + by_row[..., None] + by_column[:, :, :, None]
        y = scores.view(batch * self.heads, rows * columns, rows * columns).softmax(-1) @ v
        y = y.view(batch, self.heads, rows, columns, -1).permute(0, 2, 3, 1, 4)
        return self.out(y.reshape(batch, rows, columns, width))

    def forward(self, x):
        batch, rows, columns, width = x.shape
        y, size = self.norms[0](x), self.window
        if size:
            more = -rows % size, -columns % size
            y = F.pad(y, (0, 0, 0, more[1], 0, more[0]))
            down, across = (rows + more[0]) // size, (columns + more[1]) // size
            y = y.view(batch, down, size, across, size, width).permute(0, 1, 3, 2, 4, 5)
            y = self.attend(y.reshape(-1, size, size, width)).view(batch, down, across, size, size, width)
            y = y.permute(0, 1, 3, 2, 4, 5).reshape(batch, rows + more[0], columns + more[1], width)
            x = x + y[:, :rows, :columns]
        else:
            x = x + self.attend(y)
        return x + self.think(self.norms[1](x))


class Sam(nn.Module):
    """Features for segmentation in the shape of SAM's encoder: windows of 14, every third layer sees everything."""

    def __init__(self, side=32, width=384, heads=6, depth=6, filters=256):
        super().__init__()
        self.embed = nn.Conv2d(3, width, 16, 16)
        self.places = nn.Parameter(torch.randn(1, side, side, width) / 4)
        self.blocks = nn.Sequential(*[
            WindowedBlock(width, heads, 0 if place % 3 == 2 else 14, side) for place in range(depth)])
        self.neck = nn.ModuleList([
            nn.Conv2d(width, filters, 1, bias=False), nn.Conv2d(filters, filters, 3, 1, 1, bias=False)])
        self.weights = nn.Parameter(1 + torch.randn(2, filters, 1, 1) / 8)

    def forward(self, x):
        x = self.blocks(self.embed(x).permute(0, 2, 3, 1) + self.places).permute(0, 3, 1, 2)
        for conv, weight in zip(self.neck, self.weights):
            x = conv(x)
            centred = x - x.mean(1, keepdim=True)
            x = weight * (centred / torch.sqrt(centred.pow(2).mean(1, keepdim=True) + 1e-6))
        return x

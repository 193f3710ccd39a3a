"""Networks that torchvision does not have, as small modules of torch: each has the operators and sizes of its family.

They are written as those that people export: attention is PyTorch's own function, shapes are read where they are used.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

# --------------------------------------------------------------------------- pictures


def convolved(channels, filters, kernel=3, stride=1, groups=1, act=nn.SiLU):
    """A convolution without bias, a batch norm, an activation."""
    conv = nn.Conv2d(channels, filters, kernel, stride, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(filters), act())


class UNet(nn.Module):
    """Segmentation: two convolutions at each of five scales, transposed ones up, concatenations across."""

    def __init__(self, width=32, classes=8):
        super().__init__()
        widths = [width << scale for scale in range(5)]

        def twice(channels, filters):
            return nn.Sequential(convolved(channels, filters, act=nn.ReLU), convolved(filters, filters, act=nn.ReLU))

        self.down = nn.ModuleList(twice(a, b) for a, b in zip([3] + widths, widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in zip(widths, widths[1:]))
        self.merge = nn.ModuleList(twice(2 * a, a) for a in widths[:-1])
        self.classify = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        kept = []
        for step in self.down:
            kept.append(step(F.max_pool2d(kept[-1], 2) if kept else x))
        x = kept.pop()
        for up, merge in zip(reversed(self.up), reversed(self.merge)):
            x = merge(torch.cat([kept.pop(), up(x)], 1))
        return self.classify(x)


class DiffusionBlock(nn.Module):
    """GroupNorm, SiLU and convolution twice, the time step's embedding between; then attention over pixels."""

    def __init__(self, channels, filters, heads, times):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.GroupNorm(32, channels), nn.GroupNorm(32, filters), nn.GroupNorm(32, filters)])
        self.convs = nn.ModuleList([nn.Conv2d(channels, filters, 3, 1, 1), nn.Conv2d(filters, filters, 3, 1, 1)])
        self.time = nn.Linear(times, filters)
        self.skip = nn.Conv2d(channels, filters, 1) if channels != filters else nn.Identity()
        self.qkv, self.out = nn.Linear(filters, 3 * filters), nn.Linear(filters, filters)

    def forward(self, x, time):
        y = self.convs[0](F.silu(self.norms[0](x))) + self.time(F.silu(time))[:, :, None, None]
        x = self.skip(x) + self.convs[1](F.silu(self.norms[1](y)))
        batch, channels, height, width = x.shape
        pixels = self.norms[2](x).flatten(2).transpose(1, 2)
        q, k, v = self.qkv(pixels).view(batch, height * width, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, height * width, channels)
        return x + self.out(y).transpose(1, 2).reshape(batch, channels, height, width)


class DiffusionUNet(nn.Module):
    """Denoising: blocks at three scales, strided convolutions down, nearest-neighbour resizes up."""

    def __init__(self, widths=(128, 256, 256), heads=4, times=256):
        super().__init__()
        self.times = times
        self.embed = nn.Sequential(nn.Linear(times, times), nn.SiLU(), nn.Linear(times, times))
        self.stem = nn.Conv2d(4, widths[0], 3, 1, 1)
        self.down = nn.ModuleList(DiffusionBlock(a, b, heads, times) for a, b in zip(widths[:1] + widths, widths))
        self.shrink = nn.ModuleList(nn.Conv2d(width, width, 3, 2, 1) for width in widths[:-1])
        self.middle = DiffusionBlock(widths[-1], widths[-1], heads, times)
        behind = widths[-1:] + widths[:0:-1]
        self.up = nn.ModuleList(DiffusionBlock(a + b, b, heads, times) for a, b in zip(behind, reversed(widths)))
        self.grow = nn.ModuleList(nn.Conv2d(width, width, 3, 1, 1) for width in widths[:0:-1])
        self.last = nn.Sequential(nn.GroupNorm(32, widths[0]), nn.SiLU(), nn.Conv2d(widths[0], 4, 3, 1, 1))

    def forward(self, x, step):
        rates = torch.exp(torch.arange(self.times // 2) * (-math.log(10000) / (self.times // 2)))
        angles = step[:, None] * rates[None]
        time = self.embed(torch.cat([angles.cos(), angles.sin()], 1))
        x, kept = self.stem(x), []
        for place, block in enumerate(self.down):
            x = block(x, time)
            kept.append(x)
            x = self.shrink[place](x) if place < len(self.shrink) else x
        x = self.middle(x, time)
        for place, block in enumerate(self.up):
            x = block(torch.cat([x, kept.pop()], 1), time)
            x = self.grow[place](F.interpolate(x, scale_factor=2.0)) if place < len(self.grow) else x
        return self.last(x)


class C2f(nn.Module):
    """YOLOv8's block: half of the channels go through bottlenecks, and every result is concatenated."""

    def __init__(self, channels, filters, count, residual):
        super().__init__()
        half = filters // 2
        self.residual = residual
        self.first = convolved(channels, filters, 1)
        self.steps = nn.ModuleList(nn.Sequential(convolved(half, half), convolved(half, half)) for _ in range(count))
        self.last = convolved((2 + count) * half, filters, 1)

    def forward(self, x):
        parts = list(self.first(x).chunk(2, 1))
        for step in self.steps:
            y = step(parts[-1])
            parts.append(parts[-1] + y if self.residual else y)
        return self.last(torch.cat(parts, 1))


class Yolo(nn.Module):
    """A detector in the shape of YOLOv8m: C2f blocks, pyramids of pooling and of features, shares of distances."""

    def __init__(self, size=320, widths=(48, 96, 192, 384, 576), depths=(2, 4, 4, 2), classes=80, bins=16):
        super().__init__()
        a, b, c, d, e = widths
        self.bins, self.classes = bins, classes
        self.stem = convolved(3, a, stride=2)
        self.halves = nn.ModuleList(convolved(x, y, stride=2) for x, y in zip(widths, widths[1:]))
        self.stages = nn.ModuleList(C2f(width, width, depth, True) for width, depth in zip(widths[1:], depths))
        self.before, self.after = convolved(e, e // 2, 1), convolved(2 * e, e, 1)
        pairs = [(e + d, d), (d + c, c), (c + d, d), (d + e, e)]
        self.neck = nn.ModuleList(C2f(x, y, depths[0], False) for x, y in pairs)
        self.shrink = nn.ModuleList([convolved(c, c, stride=2), convolved(d, d, stride=2)])

        def head(inner, outputs):
            def one(width):
                return nn.Sequential(convolved(width, inner), convolved(inner, inner), nn.Conv2d(inner, outputs, 1))

            return nn.ModuleList(one(width) for width in (c, d, e))

        self.boxes, self.kinds = head(64, 4 * bins), head(max(c, classes), classes)
        cells = [size // stride for stride in (8, 16, 32)]
        grids = [torch.stack(torch.meshgrid([torch.arange(n) + 0.5] * 2, indexing="xy")).flatten(1) for n in cells]
        strides = [torch.full((1, n * n), size / n) for n in cells]
        self.register_buffer("anchors", torch.cat(grids, 1))
        self.register_buffer("strides", torch.cat(strides, 1))

    def forward(self, x):
        x, kept = self.stem(x), []
        for half, stage in zip(self.halves, self.stages):
            x = stage(half(x))
            kept.append(x)
        pools = [self.before(x)]
        for _ in range(3):
            pools.append(F.max_pool2d(pools[-1], 5, 1, 2))
        deep = self.after(torch.cat(pools, 1))
        middle = self.neck[0](torch.cat([F.interpolate(deep, scale_factor=2.0), kept[2]], 1))
        fine = self.neck[1](torch.cat([F.interpolate(middle, scale_factor=2.0), kept[1]], 1))
        middle = self.neck[2](torch.cat([self.shrink[0](fine), middle], 1))
        deep = self.neck[3](torch.cat([self.shrink[1](middle), deep], 1))
        scales = [fine, middle, deep]
        boxes = torch.cat([head(y).flatten(2) for head, y in zip(self.boxes, scales)], 2)
        kinds = torch.cat([head(y).flatten(2) for head, y in zip(self.kinds, scales)], 2)
        share = boxes.view(x.shape[0], 4, self.bins, -1).softmax(2)
        near, far = (share * torch.arange(self.bins).view(1, 1, -1, 1)).sum(2).chunk(2, 1)
        start, end = self.anchors - near, self.anchors + far
        return torch.cat([(start + end) / 2 * self.strides, (end - start) * self.strides, kinds.sigmoid()], 1)


class X3DBlock(nn.Module):
    """Pointwise, depthwise over time and space, squeeze and excitation, pointwise."""

    def __init__(self, channels, filters, stride):
        super().__init__()
        inner, narrow = channels * 9 // 4, max(8, channels * 9 // 64)
        self.open = nn.Sequential(nn.Conv3d(channels, inner, 1, bias=False), nn.BatchNorm3d(inner), nn.ReLU())
        depthwise = nn.Conv3d(inner, inner, 3, (1, stride, stride), 1, groups=inner, bias=False)
        self.mix = nn.Sequential(depthwise, nn.BatchNorm3d(inner))
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool3d(1), nn.Conv3d(inner, narrow, 1), nn.ReLU(), nn.Conv3d(narrow, inner, 1), nn.Sigmoid())
        self.close = nn.Sequential(nn.Conv3d(inner, filters, 1, bias=False), nn.BatchNorm3d(filters))
        self.same = stride == 1 and channels == filters
        self.skip = nn.Identity() if self.same else nn.Conv3d(channels, filters, 1, (1, stride, stride), bias=False)

    def forward(self, x):
        y = self.mix(self.open(x))
        return F.relu(self.skip(x) + self.close(F.silu(y * self.gate(y))))


class X3D(nn.Module):
    """Actions in videos, in the shape of X3D-S: factorised stem, depthwise blocks in three dimensions."""

    def __init__(self, widths=(24, 24, 48, 96, 192), depths=(3, 5, 11, 7), classes=400):
        super().__init__()
        first = widths[0]
        self.stem = nn.Sequential(
            nn.Conv3d(3, first, (1, 3, 3), (1, 2, 2), (0, 1, 1), bias=False),
            nn.Conv3d(first, first, (5, 1, 1), 1, (2, 0, 0), groups=first, bias=False),
            nn.BatchNorm3d(first), nn.ReLU())
        blocks = []
        for channels, filters, depth in zip(widths, widths[1:], depths):
            blocks += [X3DBlock(channels if i == 0 else filters, filters, 2 if i == 0 else 1) for i in range(depth)]
        self.blocks = nn.Sequential(*blocks)
        self.last = nn.Sequential(nn.Conv3d(widths[-1], 432, 1, bias=False), nn.BatchNorm3d(432), nn.ReLU())
        self.classify = nn.Sequential(nn.Linear(432, 2048), nn.ReLU(), nn.Linear(2048, classes))

    def forward(self, x):
        return self.classify(self.last(self.blocks(self.stem(x))).mean((2, 3, 4)))


# --------------------------------------------------------------------------- sound


class Vocoder(nn.Module):
    """Speech from mel spectra in the shape of HiFi-GAN v2: transposed convolutions, dilated residual blocks."""

    def __init__(self, mels=80, width=128, rates=(8, 8, 2, 2), kernels=(3, 7, 11), dilations=(1, 3, 5)):
        super().__init__()
        self.first = nn.Conv1d(mels, width, 7, padding=3)
        widths = [width >> place for place in range(len(rates) + 1)]
        self.up = nn.ModuleList(
            nn.ConvTranspose1d(a, b, 2 * rate, rate, rate // 2) for a, b, rate in zip(widths, widths[1:], rates))

        def dilated(width, kernel, dilation):
            return nn.Conv1d(width, width, kernel, dilation=dilation, padding=dilation * (kernel - 1) // 2)

        self.blocks = nn.ModuleList(
            nn.ModuleList(
                nn.ModuleList(nn.ModuleList([dilated(w, k, d), dilated(w, k, 1)]) for d in dilations) for k in kernels)
            for w in widths[1:])
        self.last = nn.Conv1d(widths[-1], 1, 7, padding=3)

    def forward(self, x):
        x = self.first(x)
        for up, blocks in zip(self.up, self.blocks):
            x, total = up(F.leaky_relu(x, 0.1)), 0
            for block in blocks:
                y = x
                for wide, plain in block:
                    y = y + plain(F.leaky_relu(wide(F.leaky_relu(y, 0.1)), 0.1))
                total = total + y
            x = total / len(blocks)
        return self.last(F.leaky_relu(x)).tanh()


class RelativeAttention(nn.Module):
    """Attention with scores of content and of distance; a pad and two reshapes shift the latter into place."""

    def __init__(self, width, heads, longest):
        super().__init__()
        self.heads, self.longest = heads, longest
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.place = nn.Linear(width, width, bias=False)
        self.biases = nn.Parameter(torch.randn(2, heads, 1, width // heads) / 8)
        rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10000) / width))
        angles = torch.arange(longest - 1, -longest, -1.0)[:, None] * rates
        self.register_buffer("places", torch.stack([angles.sin(), angles.cos()], 2).flatten(1))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        places = self.places[self.longest - length : self.longest + length - 1]
        places = self.place(places).view(2 * length - 1, self.heads, -1).permute(1, 2, 0)
        far = F.pad((q + self.biases[1]) @ places, (1, 0)).view(batch, self.heads, 2 * length, length)
        far = far[:, :, 1:].reshape(batch, self.heads, length, 2 * length - 1)[..., :length]
        scores = ((q + self.biases[0]) @ k.transpose(2, 3) + far) / math.sqrt(width // self.heads)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))


class ConformerBlock(nn.Module):
    """Half a feed-forward network, attention, a gated depthwise convolution, the other half."""

    def __init__(self, width, heads, kernel, longest):
        super().__init__()

        def forward():
            return nn.Sequential(
                nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, width))

        self.before, self.after = forward(), forward()
        self.attend = nn.Sequential(nn.LayerNorm(width), RelativeAttention(width, heads, longest))
        self.norm, self.last = nn.LayerNorm(width), nn.LayerNorm(width)
        self.convolve = nn.Sequential(
            nn.Conv1d(width, 2 * width, 1), nn.GLU(1),
            nn.Conv1d(width, width, kernel, padding=kernel // 2, groups=width), nn.BatchNorm1d(width), nn.SiLU(),
            nn.Conv1d(width, width, 1))

    def forward(self, x):
        x = x + self.before(x) / 2
        x = x + self.attend(x)
        x = x + self.convolve(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return self.last(x + self.after(x) / 2)


class Conformer(nn.Module):
    """Speech to phonemes: two strided convolutions, then blocks over a quarter of the frames."""

    def __init__(self, mels=80, width=256, heads=4, depth=8, kernel=31, longest=2048, outputs=128):
        super().__init__()
        self.shrink = nn.Sequential(
            nn.Conv2d(1, width // 4, 3, 2, 1), nn.ReLU(), nn.Conv2d(width // 4, width // 4, 3, 2, 1), nn.ReLU())
        self.widen = nn.Linear(width // 4 * (mels // 4), width)
        self.blocks = nn.Sequential(*[ConformerBlock(width, heads, kernel, longest) for _ in range(depth)])
        self.classify = nn.Linear(width, outputs)

    def forward(self, frames):
        x = self.shrink(frames[:, None])
        return F.log_softmax(self.classify(self.blocks(self.widen(x.transpose(1, 2).flatten(2)))), -1)


class Attention(nn.Module):
    """PyTorch's attention between linear layers; `mask` is added to the scores."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, mask=None):
        batch, length, width = x.shape
        q, k, v = (layer(x).view(batch, length, self.heads, -1).transpose(1, 2) for layer in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class WhisperEncoder(nn.Module):
    """The encoder of Whisper tiny: two convolutions over 3000 frames, four layers over 1500 places."""

    def __init__(self, mels=80, width=384, heads=6, depth=4, places=1500):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv1d(mels, width, 3, 1, 1), nn.Conv1d(width, width, 3, 2, 1)])
        self.places = nn.Parameter(torch.randn(places, width) / 4)
        self.attends = nn.ModuleList(nn.Sequential(nn.LayerNorm(width), Attention(width, heads)) for _ in range(depth))
        self.thinks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            for _ in range(depth))
        self.last = nn.LayerNorm(width)

    def forward(self, x):
        for conv in self.convs:
            x = F.gelu(conv(x))
        x = x.transpose(1, 2) + self.places
        for attend, think in zip(self.attends, self.thinks):
            x = x + attend(x)
            x = x + think(x)
        return self.last(x)


# --------------------------------------------------------------------------- text


class Bert(nn.Module):
    """BERT base with the two logits of an answer's ends."""

    def __init__(self, words=30522, width=768, heads=12, depth=12, longest=512):
        super().__init__()
        self.words, self.kinds = nn.Embedding(words, width), nn.Embedding(2, width)
        self.places = nn.Embedding(longest, width)
        self.first = nn.LayerNorm(width)
        self.attends = nn.ModuleList(Attention(width, heads) for _ in range(depth))
        self.thinks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)) for _ in range(depth))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * depth))
        self.ends = nn.Linear(width, 2)

    def forward(self, input_ids, attention_mask, token_type_ids):
        places = torch.arange(input_ids.shape[1])[None]
        x = self.first(self.words(input_ids) + self.kinds(token_type_ids) + self.places(places))
        mask = ((1 - attention_mask) * -10000.0)[:, None, None]
        for place, (attend, think) in enumerate(zip(self.attends, self.thinks)):
            x = self.norms[2 * place](x + attend(x, mask))
            x = self.norms[2 * place + 1](x + think(x))
        start, end = self.ends(x).unbind(-1)
        return start, end


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5))


class LlamaBlock(nn.Module):
    """Rotary attention of grouped heads over cached keys and values, a gated feed-forward network."""

    def __init__(self, width, heads, groups, inner):
        super().__init__()
        size = width // heads
        self.heads, self.groups = heads, groups
        self.q, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.k, self.v = nn.Linear(width, groups * size, bias=False), nn.Linear(width, groups * size, bias=False)
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)
        self.norms = nn.ModuleList([RMSNorm(width), RMSNorm(width)])

    def forward(self, x, cos, sin, keys, values):
        batch, length, width = x.shape

        def split(y, heads):
            return y.view(batch, length, heads, -1).transpose(1, 2)

        def turned(y):
            a, b = y.chunk(2, -1)
            return y * cos + torch.cat([-b, a], -1) * sin

        def repeated(y):
            shape = (batch, self.groups, self.heads // self.groups, y.shape[2], y.shape[3])
            return y[:, :, None].expand(shape).reshape(batch, self.heads, y.shape[2], y.shape[3])

        y = self.norms[0](x)
        keys = torch.cat([keys, turned(split(self.k(y), self.groups))], 2)
        values = torch.cat([values, split(self.v(y), self.groups)], 2)
        y = F.scaled_dot_product_attention(turned(split(self.q(y), self.heads)), repeated(keys), repeated(values))
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        y = self.norms[1](x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y)), keys, values


class LlamaStep(nn.Module):
    """One token more: of 100 million weights that are multiplied, a quarter are the logits'."""

    def __init__(self, words=32000, width=768, heads=12, groups=4, inner=2048, depth=12):
        super().__init__()
        self.words, self.logits = nn.Embedding(words, width), nn.Linear(width, words, bias=False)
        self.blocks = nn.ModuleList(LlamaBlock(width, heads, groups, inner) for _ in range(depth))
        self.last = RMSNorm(width)
        size = width // heads
        self.register_buffer("rates", 10000.0 ** (-torch.arange(0, size, 2) / size))

    def forward(self, token, position, *past):
        angles = position[:, :, None].float() * self.rates
        angles = torch.cat([angles, angles], -1)[:, None]
        x, cos, sin, present = self.words(token), angles.cos(), angles.sin(), []
        for place, block in enumerate(self.blocks):
            x, keys, values = block(x, cos, sin, past[2 * place], past[2 * place + 1])
            present += [keys, values]
        return self.logits(self.last(x)), *present


# --------------------------------------------------------------------------- sequences


class AttentiveLSTM(nn.Module):
    """Two layers of a bidirectional LSTM; its last step asks all of them, and a linear layer classifies the answer."""

    def __init__(self, inputs=128, hidden=256, classes=16):
        super().__init__()
        self.lstm = nn.LSTM(inputs, hidden, 2, batch_first=True, bidirectional=True)
        self.key, self.classify = nn.Linear(2 * hidden, 2 * hidden), nn.Linear(4 * hidden, classes)

    def forward(self, x):
        states, _ = self.lstm(x)
        query = states[:, -1:]
        share = (query @ self.key(states).transpose(1, 2) / math.sqrt(states.shape[2])).softmax(-1)
        return self.classify(torch.cat([share @ states, query], -1)[:, 0])


class TwoGRU(nn.Module):
    """Two layers of a GRU and a linear layer at every step."""

    def __init__(self, inputs=64, hidden=256, outputs=32):
        super().__init__()
        self.gru, self.last = nn.GRU(inputs, hidden, 2, batch_first=True), nn.Linear(hidden, outputs)

    def forward(self, x):
        return self.last(self.gru(x)[0])

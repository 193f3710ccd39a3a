"""Networks for speech and lines of text, as small modules of torch: what network_modules.py is for other kinds."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from network_modules import Attention, convolved


class TextLine(nn.Module):
    """Reads a line of text: convolutions that shrink the height, two bidirectional LSTMs, classes of each column."""

    def __init__(self, classes=6625, hidden=96):
        super().__init__()

        def step(a, b, stride):
            depthwise = nn.Sequential(
                nn.Conv2d(a, a, 3, stride, 1, groups=a, bias=False), nn.BatchNorm2d(a), nn.Hardswish())
            return nn.Sequential(depthwise, convolved(a, b, 1, act=nn.Hardswish))

        plan = ((16, 32, 1), (32, 64, 1), (64, 64, 1), (64, 128, (2, 1)), (128, 128, 1), (128, 256, (2, 1)),
                (256, 256, 1), (256, 512, (2, 1)), (512, 512, (1, 2)))
        self.layers = nn.Sequential(
            convolved(3, 16, stride=2, act=nn.Hardswish), *[step(*one) for one in plan], nn.MaxPool2d(2, 2))
        self.lstm = nn.LSTM(512, hidden, 2, bidirectional=True, batch_first=True)
        self.classify = nn.Linear(2 * hidden, classes)

    def forward(self, x):
        x = self.layers(x).mean(2).permute(0, 2, 1)
        return self.classify(self.lstm(x)[0]).softmax(2)


class Temporal(nn.Module):
    """A temporal convolutional network: padded on both sides, the future cut off, dilations that double."""

    def __init__(self, inputs=64, width=128, depth=8, kernel=3, classes=88):
        super().__init__()
        widths = [inputs] + [width] * depth
        self.convs = nn.ModuleList(
            nn.ModuleList(
                nn.Conv1d(size, width, kernel, padding=(kernel - 1) << place, dilation=1 << place)
                for size in (widths[place], width))
            for place in range(depth))
        self.skip = nn.Conv1d(inputs, width, 1)
        self.classify = nn.Linear(width, classes)

    def forward(self, x):
        for place, convs in enumerate(self.convs):
            y = x
            for conv in convs:
                y = F.relu(conv(y)[:, :, : -conv.padding[0]].contiguous())
            x = F.relu(y + (x if place else self.skip(x)))
        return self.classify(x.transpose(1, 2))


class Demucs(nn.Module):
    """Sources of music apart: strided convolutions with gates, an LSTM, transposed ones; skips are added."""

    def __init__(self, channels=2, width=32, depth=5, sources=4):
        super().__init__()
        widths = [channels] + [width << place for place in range(depth)]
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        for place, (a, b) in enumerate(zip(widths, widths[1:])):
            self.down.append(nn.Sequential(nn.Conv1d(a, b, 8, 4), nn.ReLU(), nn.Conv1d(b, 2 * b, 1), nn.GLU(1)))
            after = a if place else sources * channels
            layers = [nn.Conv1d(b, 2 * b, 3, padding=1), nn.GLU(1), nn.ConvTranspose1d(b, after, 8, 4)]
            self.up.insert(0, nn.Sequential(*layers, *([nn.ReLU()] if place else [])))
        self.lstm = nn.LSTM(widths[-1], widths[-1], 2, bidirectional=True)
        self.narrow = nn.Linear(2 * widths[-1], widths[-1])

    def forward(self, x):
        kept = []
        for step in self.down:
            x = step(x)
            kept.append(x)
        x = self.narrow(self.lstm(x.permute(2, 0, 1))[0]).permute(1, 2, 0)
        for step in self.up:
            skip = kept.pop()
            x = step(x[..., : skip.shape[-1]] + skip[..., : x.shape[-1]])
        return x.view(x.shape[0], 4, -1, x.shape[-1])


class FastSpeechBlock(nn.Module):
    """Attention, then two convolutions in place of a feed-forward network; norms behind."""

    def __init__(self, width, heads, inner, kernel=9):
        super().__init__()
        self.attend = Attention(width, heads)
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.convs = nn.ModuleList([nn.Conv1d(width, inner, kernel, padding=kernel // 2), nn.Conv1d(inner, width, 1)])

    def forward(self, x):
        x = self.norms[0](x + self.attend(x))
        y = self.convs[1](F.relu(self.convs[0](x.transpose(1, 2)))).transpose(1, 2)
        return self.norms[1](x + y)


class Variance(nn.Module):
    """A number for each sound: its length or its pitch."""

    def __init__(self, width):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(width, width, 3, padding=1) for _ in range(2))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.last = nn.Linear(width, 1)

    def forward(self, x):
        for conv, norm in zip(self.convs, self.norms):
            x = norm(F.relu(conv(x.transpose(1, 2))).transpose(1, 2))
        return self.last(x)[..., 0]


class FastSpeech(nn.Module):
    """Mel spectra of sounds in the shape of FastSpeech 2: each sound is repeated as long as it lasts."""

    def __init__(self, sounds=100, width=256, inner=1024, depth=4, mels=80, frames=400):
        super().__init__()
        self.frames, self.words = frames, nn.Embedding(sounds, width)
        self.register_buffer("places", torch.randn(2048, width) / 4)
        self.encode = nn.Sequential(*[FastSpeechBlock(width, 2, inner) for _ in range(depth)])
        self.decode = nn.Sequential(*[FastSpeechBlock(width, 2, inner) for _ in range(depth)])
        self.length, self.pitch = Variance(width), Variance(width)
        self.pitches = nn.Embedding(256, width)
        self.mels = nn.Linear(width, mels)
        self.after = nn.Sequential(
            nn.Conv1d(mels, width, 5, padding=2), nn.BatchNorm1d(width), nn.Tanh(),
            nn.Conv1d(width, mels, 5, padding=2))

    def forward(self, text):
        x = self.encode(self.words(text) + self.places[: text.shape[1]])
        heard = (self.pitch(x) * 32 + 128).clamp(0, 255).long()
        x = x + self.pitches(heard)
        ends = torch.cumsum((self.length(x).exp() * 4).round().clamp(1, 8), 1)
        place = (torch.arange(float(self.frames))[None, :, None] >= ends[:, None]).long().sum(2)
        place = place.clamp(max=text.shape[1] - 1)
        x = torch.gather(x, 1, place[..., None].expand(-1, -1, x.shape[2]))
        y = self.mels(self.decode(x + self.places[: self.frames]))
        return y + self.after(y.transpose(1, 2)).transpose(1, 2)


class MelGan(nn.Module):
    """Speech from mel spectra in the shape of MelGAN: mirrored pads, transposed convolutions, dilated residuals."""

    def __init__(self, mels=80, width=256, rates=(8, 8, 2, 2)):
        super().__init__()
        layers = [nn.ReflectionPad1d(3), nn.Conv1d(mels, width, 7)]
        for rate in rates:
            layers += [nn.LeakyReLU(0.2), nn.ConvTranspose1d(width, width // 2, 2 * rate, rate, rate // 2)]
            width //= 2
            layers += [MelGanBlock(width, 3**place) for place in range(3)]
        self.layers = nn.Sequential(
            *layers, nn.LeakyReLU(0.2), nn.ReflectionPad1d(3), nn.Conv1d(width, 1, 7), nn.Tanh())

    def forward(self, x):
        return self.layers(x)


class MelGanBlock(nn.Module):
    def __init__(self, width, dilation):
        super().__init__()
        self.steps = nn.Sequential(
            nn.LeakyReLU(0.2), nn.ReflectionPad1d(dilation), nn.Conv1d(width, width, 3, dilation=dilation),
            nn.LeakyReLU(0.2), nn.Conv1d(width, width, 1))
        self.skip = nn.Conv1d(width, width, 1)

    def forward(self, x):
        return self.skip(x) + self.steps(x)


class Res2Block(nn.Module):
    """ECAPA-TDNN's: slices of the channels in turn, each with the result of the one before; then a gate."""

    def __init__(self, width, dilation, parts=8, narrow=128):
        super().__init__()
        self.part = width // parts

        def layer(a, b, kernel=1, dilation=1):
            conv = nn.Conv1d(a, b, kernel, dilation=dilation, padding=dilation * (kernel // 2))
            return nn.Sequential(conv, nn.ReLU(), nn.BatchNorm1d(b))

        self.open, self.close = layer(width, width), layer(width, width)
        self.parts = nn.ModuleList(layer(self.part, self.part, 3, dilation) for _ in range(parts - 1))
        self.gate = nn.Sequential(nn.Conv1d(width, narrow, 1), nn.ReLU(), nn.Conv1d(narrow, width, 1), nn.Sigmoid())

    def forward(self, x):
        first, *slices = self.open(x).split(self.part, 1)
        outs, y = [first], None
        for layer, part in zip(self.parts, slices):
            y = layer(part if y is None else part + y)
            outs.append(y)
        y = self.close(torch.cat(outs, 1))
        return x + y * self.gate(y.mean(2, keepdim=True))


class Speaker(nn.Module):
    """Who speaks, in the shape of ECAPA-TDNN: dilated blocks, all their results, statistics weighed by attention."""

    def __init__(self, mels=80, width=512, whole=1536, size=192):
        super().__init__()
        self.first = nn.Sequential(nn.Conv1d(mels, width, 5, padding=2), nn.ReLU(), nn.BatchNorm1d(width))
        self.blocks = nn.ModuleList(Res2Block(width, dilation) for dilation in (2, 3, 4))
        self.join = nn.Sequential(nn.Conv1d(3 * width, whole, 1), nn.ReLU())
        self.attend = nn.Sequential(
            nn.Conv1d(3 * whole, 128, 1), nn.ReLU(), nn.BatchNorm1d(128), nn.Tanh(), nn.Conv1d(128, whole, 1))
        self.norm, self.last = nn.BatchNorm1d(2 * whole), nn.Linear(2 * whole, size)

    def forward(self, frames):
        x, kept = self.first(frames.transpose(1, 2)), []
        for block in self.blocks:
            x = block(x)
            kept.append(x)
        x = self.join(torch.cat(kept, 1))
        mean, deviation = x.mean(2, keepdim=True), x.var(2, keepdim=True, unbiased=False).clamp(min=1e-4).sqrt()
        wide = torch.cat([x, mean.expand_as(x), deviation.expand_as(x)], 1)
        share = self.attend(wide).softmax(2)
        mean = (share * x).sum(2)
        deviation = ((share * x * x).sum(2) - mean * mean).clamp(min=1e-4).sqrt()
        return self.last(self.norm(torch.cat([mean, deviation], 1)))


class VoiceActivity(nn.Module):
    """Whether somebody speaks, in the shape of Silero's detector: a spectrum by convolution, an LSTM's step."""

    def __init__(self, size=256, hop=128, hidden=128):
        super().__init__()
        angles = torch.arange(size)[:, None] * torch.arange(size // 2 + 1) * (2 * math.pi / size)
        window = torch.hann_window(size)[:, None]
        self.register_buffer("waves", torch.cat([angles.cos() * window, -angles.sin() * window], 1).T[:, None])
        self.hop, bins = hop, size // 2 + 1
        widths = (bins, 128, 64, 64, 128)
        self.convs = nn.Sequential(*[
            nn.Sequential(nn.Conv1d(a, b, 3, stride, 1), nn.ReLU())
            for a, b, stride in zip(widths, widths[1:], (1, 2, 2, 1))])
        self.lstm = nn.LSTM(128, hidden, batch_first=True)
        self.last = nn.Sequential(nn.ReLU(), nn.Conv1d(hidden, 1, 1), nn.Sigmoid())

    def forward(self, samples, hidden, cell):
        x = F.conv1d(F.pad(samples, (0, 64), mode="reflect")[:, None], self.waves, stride=self.hop)
        real, imaginary = x.chunk(2, 1)
        x = self.convs((real * real + imaginary * imaginary).sqrt())
        y, (hidden, cell) = self.lstm(x.transpose(1, 2), (hidden, cell))
        return self.last(y.transpose(1, 2)).mean(2), hidden, cell


class Tacotron(nn.Module):
    """Twenty frames of Tacotron 2's decoder: two LSTM cells, attention with a convolution over where it was before."""

    def __init__(self, mels=80, width=512, hidden=1024, inner=128, steps=20):
        super().__init__()
        self.steps = steps
        self.before = nn.Sequential(nn.Linear(mels, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.attend, self.decode = nn.LSTMCell(256 + width, hidden), nn.LSTMCell(hidden + width, hidden)
        self.query, self.memory = nn.Linear(hidden, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.where = nn.Conv1d(2, 32, 31, padding=15, bias=False)
        self.place, self.score = nn.Linear(32, inner, bias=False), nn.Linear(inner, 1, bias=False)
        self.mel = nn.Linear(hidden + width, mels)
        self.hidden = hidden

    def forward(self, memory):
        batch, length, width = memory.shape
        kept, frame = self.memory(memory), torch.zeros(batch, self.mel.out_features)
        a, c, b, d = (torch.zeros(batch, self.hidden) for _ in range(4))
        context, outs = torch.zeros(batch, width), []
        share, total = (torch.zeros(batch, length) for _ in range(2))
        for _ in range(self.steps):
            a, c = self.attend(torch.cat([self.before(frame), context], 1), (a, c))
            place = self.place(self.where(torch.stack([share, total], 1)).transpose(1, 2))
            share = self.score(torch.tanh(self.query(a)[:, None] + place + kept))[..., 0].softmax(1)
            total = total + share
            context = torch.bmm(share[:, None], memory)[:, 0]
            b, d = self.decode(torch.cat([a, context], 1), (b, d))
            frame = self.mel(torch.cat([b, context], 1))
            outs.append(frame)
        return torch.stack(outs, 1)

"""More networks for pictures, as small modules of torch: what network_modules.py is for other kinds."""

import torch
import torch.nn.functional as F
from torch import nn

from network_modules import convolved


class SuperResolution(nn.Module):
    """Four times the size in the shape of EDSR: residual blocks without norms, two pixel shuffles."""

    def __init__(self, width=64, depth=16):
        super().__init__()

        def conv(channels, filters):
            return nn.Conv2d(channels, filters, 3, 1, 1)

        self.first, self.last = conv(3, width), conv(width, 3)
        self.blocks = nn.ModuleList(
            nn.Sequential(conv(width, width), nn.ReLU(), conv(width, width)) for _ in range(depth))
        self.after = conv(width, width)
        self.grow = nn.Sequential(
            conv(width, 4 * width), nn.PixelShuffle(2), conv(width, 4 * width), nn.PixelShuffle(2))

    def forward(self, x):
        x = y = self.first(x)
        for block in self.blocks:
            y = y + block(y) * 0.1
        return self.last(self.grow(x + self.after(y)))


class Bottleneck(nn.Module):
    def __init__(self, channels, inner, stride):
        super().__init__()
        filters = 4 * inner
        self.steps = nn.Sequential(
            convolved(channels, inner, 1, act=nn.ReLU), convolved(inner, inner, 3, stride, act=nn.ReLU),
            nn.Conv2d(inner, filters, 1, bias=False), nn.BatchNorm2d(filters))
        self.skip = nn.Identity()
        if stride > 1 or channels != filters:
            self.skip = nn.Sequential(
                nn.Conv2d(channels, filters, 1, stride, bias=False), nn.BatchNorm2d(filters))

    def forward(self, x):
        return F.relu(self.skip(x) + self.steps(x))


def bottlenecks(depths):
    """The layers of a ResNet before its head, and how many channels they make."""
    layers, channels = [convolved(3, 64, 7, 2, act=nn.ReLU), nn.MaxPool2d(3, 2, 1)], 64
    for stage, depth in enumerate(depths):
        for place in range(depth):
            layers.append(Bottleneck(channels, 64 << stage, 2 if stage and not place else 1))
            channels = 256 << stage
    return layers, channels


class Pose(nn.Module):
    """Heat maps of joints: ResNet-50, three transposed convolutions."""

    def __init__(self, joints=17, depths=(3, 4, 6, 3), width=256):
        super().__init__()
        layers, channels = bottlenecks(depths)
        for _ in range(3):
            layers += [nn.ConvTranspose2d(channels, width, 4, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
            channels = width
        self.layers = nn.Sequential(*layers, nn.Conv2d(width, joints, 1))

    def forward(self, x):
        return self.layers(x)


class Flow(nn.Module):
    """Optical flow in the shape of RAFT: correlations of all pairs, looked up around the flow, a recurrent update."""

    def __init__(self, width=96, hidden=64, radius=3, steps=6):
        super().__init__()
        self.steps, self.hidden, self.radius = steps, hidden, radius

        def encoder(filters, norm):
            layers, channels = [], 3
            for after, stride in ((32, 2), (32, 1), (64, 2), (64, 1), (96, 2), (96, 1)):
                layers += [nn.Conv2d(channels, after, 3, stride, 1), norm(after), nn.ReLU()]
                channels = after
            return nn.Sequential(*layers, nn.Conv2d(channels, filters, 1))

        self.features, self.context = encoder(width, nn.InstanceNorm2d), encoder(2 * hidden, nn.BatchNorm2d)
        seen = (2 * radius + 1) ** 2
        self.look = nn.Conv2d(seen, 64, 1)
        self.move = nn.Conv2d(2, 32, 7, padding=3)
        inner = hidden + hidden + 64 + 32 + 2
        self.gates, self.new = nn.Conv2d(inner, 2 * hidden, 3, padding=1), nn.Conv2d(inner, hidden, 3, padding=1)
        self.flow = nn.Sequential(nn.Conv2d(hidden, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 2, 3, padding=1))

    def forward(self, first, second):
        a, b = self.features(first), self.features(second)
        batch, channels, height, width = a.shape
        every = (a.flatten(2).transpose(1, 2) @ b.flatten(2)).view(-1, 1, height, width) / channels**0.5
        state, given = self.context(first).split(self.hidden, 1)
        state, given = state.tanh(), given.relu()
        ys, xs = torch.meshgrid(torch.arange(float(height)), torch.arange(float(width)), indexing="ij")
        start = torch.stack([xs, ys])[None].repeat(batch, 1, 1, 1)
        around = torch.arange(-self.radius, self.radius + 1.0)
        around = torch.stack(torch.meshgrid(around, around, indexing="ij"), -1)[None]
        extent = torch.tensor([width - 1.0, height - 1.0])
        place = start
        for _ in range(self.steps):
            centre = place.permute(0, 2, 3, 1).reshape(-1, 1, 1, 2)
            grid = (centre + around) / extent * 2 - 1
            seen = F.grid_sample(every, grid, align_corners=True).view(batch, height, width, -1).permute(0, 3, 1, 2)
            flow = place - start
            given_now = torch.cat([given, self.look(seen).relu(), self.move(flow).relu(), flow], 1)
            keep, reset = self.gates(torch.cat([state, given_now], 1)).sigmoid().chunk(2, 1)
            new = self.new(torch.cat([reset * state, given_now], 1)).tanh()
            state = (1 - keep) * state + keep * new
            place = place + self.flow(state)
        return place - start

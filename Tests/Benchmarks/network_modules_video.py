"""Networks for videos, points and scenes, as small modules of torch: what network_modules.py is for other kinds."""

import torch
import torch.nn.functional as F
from torch import nn


class C3D(nn.Module):
    """Actions in videos: dense convolutions of three by three by three, poolings, two linear layers."""

    def __init__(self, classes=101):
        super().__init__()
        layers, channels = [], 3
        for filters, count, pool in ((64, 1, (1, 2, 2)), (128, 1, 2), (256, 2, 2), (256, 2, 2)):
            for _ in range(count):
                layers += [nn.Conv3d(channels, filters, 3, padding=1), nn.ReLU()]
                channels = filters
            layers.append(nn.MaxPool3d(pool, pool))
        self.layers = nn.Sequential(*layers)
        self.classify = nn.Sequential(
            nn.Linear(256 * 7 * 7, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, classes))

    def forward(self, x):
        return self.classify(self.layers(x).flatten(1))


class VideoBottleneck(nn.Module):
    """A bottleneck whose first convolution sees `frames` frames."""

    def __init__(self, channels, inner, stride, frames):
        super().__init__()
        filters = 4 * inner
        self.steps = nn.Sequential(
            nn.Conv3d(channels, inner, (frames, 1, 1), padding=(frames // 2, 0, 0), bias=False),
            nn.BatchNorm3d(inner), nn.ReLU(),
            nn.Conv3d(inner, inner, (1, 3, 3), (1, stride, stride), (0, 1, 1), bias=False),
            nn.BatchNorm3d(inner), nn.ReLU(), nn.Conv3d(inner, filters, 1, bias=False), nn.BatchNorm3d(filters))
        self.skip = nn.Identity()
        if stride > 1 or channels != filters:
            self.skip = nn.Sequential(
                nn.Conv3d(channels, filters, 1, (1, stride, stride), bias=False), nn.BatchNorm3d(filters))

    def forward(self, x):
        return F.relu(self.skip(x) + self.steps(x))


class SlowFast(nn.Module):
    """Few frames with many channels beside many frames with few, which are joined to the former at each scale."""

    def __init__(self, width=32, ratio=4, share=8, depth=2, classes=400):
        super().__init__()
        narrow = width // share
        self.ratio = ratio

        def stem(filters, frames):
            conv = nn.Conv3d(3, filters, (frames, 7, 7), (1, 2, 2), (frames // 2, 3, 3), bias=False)
            pool = nn.MaxPool3d((1, 3, 3), (1, 2, 2), (0, 1, 1))
            return nn.Sequential(conv, nn.BatchNorm3d(filters), nn.ReLU(), pool)

        self.slow_stem, self.fast_stem = stem(width, 1), stem(narrow, 5)
        self.slow, self.fast, self.join = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        channels, fast = width, narrow
        for stage in range(4):
            self.join.append(nn.Conv3d(fast, 2 * fast, (5, 1, 1), (ratio, 1, 1), (2, 0, 0), bias=False))
            channels, stride = channels + 2 * fast, 1 + (stage > 0)
            slow, quick = [], []
            for place in range(depth):
                slow.append(VideoBottleneck(channels, width << stage, 1 if place else stride, 3 if stage > 1 else 1))
                quick.append(VideoBottleneck(fast, narrow << stage, 1 if place else stride, 3))
                channels, fast = 4 * width << stage, 4 * narrow << stage
            self.slow.append(nn.Sequential(*slow))
            self.fast.append(nn.Sequential(*quick))
        self.classify = nn.Linear(channels + fast, classes)

    def forward(self, x):
        slow, fast = self.slow_stem(x[:, :, :: self.ratio]), self.fast_stem(x)
        for join, above, below in zip(self.join, self.slow, self.fast):
            slow, fast = above(torch.cat([slow, join(fast)], 1)), below(fast)
        return self.classify(torch.cat([slow.mean((2, 3, 4)), fast.mean((2, 3, 4))], 1))


class Shifted(nn.Module):
    """TSM: an eighth of the channels comes from the frame before, an eighth from the one behind."""

    def __init__(self, frames, inner):
        super().__init__()
        self.frames, self.inner = frames, inner

    def forward(self, x):
        batch, channels, height, width = x.shape
        x, part = x.view(-1, self.frames, channels, height, width), channels // 8
        moved = torch.zeros_like(x)
        moved[:, :-1, :part] = x[:, 1:, :part]
        moved[:, 1:, part : 2 * part] = x[:, :-1, part : 2 * part]
        moved[:, :, 2 * part :] = x[:, :, 2 * part :]
        return self.inner(moved.view(batch, channels, height, width))


def shifted(network, frames):
    """`network`, a ResNet of torchvision, with shifts in front of each block's first convolution."""
    for stage in (network.layer1, network.layer2, network.layer3, network.layer4):
        for block in stage:
            block.conv1 = Shifted(frames, block.conv1)
    return network


class Alignment(nn.Module):
    """PointNet's small network that finds a matrix for its points."""

    def __init__(self, size):
        super().__init__()
        self.size, layers = size, []
        for a, b in ((size, 64), (64, 128), (128, 1024)):
            layers += [nn.Conv1d(a, b, 1), nn.BatchNorm1d(b), nn.ReLU()]
        self.points = nn.Sequential(*layers)
        self.whole = nn.Sequential(
            nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, size * size))
        self.register_buffer("same", torch.eye(size))

    def forward(self, x):
        return self.whole(self.points(x).max(2).values).view(-1, self.size, self.size) + self.same


class PointNet(nn.Module):
    """Parts of a cloud of points: pointwise layers, two alignments, a maximum over all points beside each."""

    def __init__(self, parts=50):
        super().__init__()
        self.align, self.align_features = Alignment(3), Alignment(64)

        def layer(a, b, act=nn.ReLU):
            return nn.Sequential(nn.Conv1d(a, b, 1), nn.BatchNorm1d(b), act())

        self.first = layer(3, 64)
        self.second = nn.Sequential(layer(64, 128), layer(128, 1024, nn.Identity))
        self.last = nn.Sequential(layer(1088, 512), layer(512, 256), layer(256, 128), nn.Conv1d(128, parts, 1))

    def forward(self, x):
        x = self.first(torch.bmm(x.transpose(2, 1), self.align(x)).transpose(2, 1))
        x = torch.bmm(x.transpose(2, 1), self.align_features(x)).transpose(2, 1)
        whole = self.second(x).max(2, keepdim=True).values.repeat(1, 1, x.shape[2])
        return F.log_softmax(self.last(torch.cat([whole, x], 1)).transpose(2, 1), -1)


class GraphAttention(nn.Module):
    """GAT's layer: scores of edges, a softmax among those that end at a node, sums of what they bring."""

    def __init__(self, channels, heads, size):
        super().__init__()
        self.heads, self.size = heads, size
        self.project = nn.Linear(channels, heads * size, bias=False)
        self.near, self.far = (nn.Parameter(torch.randn(heads, size) / size**0.5) for _ in range(2))

    def forward(self, x, edges):
        source, target = edges[0], edges[1]
        x = self.project(x).view(-1, self.heads, self.size)
        a, b = (x * self.near).sum(-1), (x * self.far).sum(-1)
        score = F.leaky_relu(a[source] + b[target], 0.2).clamp(-10, 10).exp()
        total = torch.zeros_like(a).scatter_add(0, target[:, None].expand(-1, self.heads), score)
        share = score / (total[target] + 1e-16)
        places = target[:, None, None].expand(-1, self.heads, self.size)
        return torch.zeros_like(x).scatter_add(0, places, x[source] * share[..., None]).flatten(1)


class GraphNet(nn.Module):
    """Classes of a graph's nodes: layers of attention along edges."""

    def __init__(self, inputs=128, heads=8, size=16, depth=3, classes=40):
        super().__init__()
        widths = [inputs] + [heads * size] * (depth - 1)
        self.layers = nn.ModuleList(GraphAttention(width, heads, size) for width in widths)
        self.last = nn.Linear(heads * size, classes)

    def forward(self, x, edges):
        for layer in self.layers:
            x = F.elu(layer(x, edges))
        return F.log_softmax(self.last(x), -1)


class Radiance(nn.Module):
    """NeRF: sines of places and directions, eight layers of 256, colours summed along each ray."""

    def __init__(self, width=256, octaves=(10, 4), samples=32):
        super().__init__()
        self.octaves, self.samples = octaves, samples
        place, view = (3 + 6 * count for count in octaves)
        sizes = [place] + [width] * 4 + [width + place] + [width] * 2
        self.layers = nn.ModuleList(nn.Linear(size, width) for size in sizes)
        self.density, self.feature = nn.Linear(width, 1), nn.Linear(width, width)
        self.view, self.colour = nn.Linear(width + view, width // 2), nn.Linear(width // 2, 3)

    def waves(self, x, octaves):
        return torch.cat([x] + [f(x * 2.0**place) for place in range(octaves) for f in (torch.sin, torch.cos)], -1)

    def forward(self, origins, directions):
        depths = torch.linspace(2.0, 6.0, self.samples)
        places = self.waves(origins[:, None] + directions[:, None] * depths[:, None], self.octaves[0])
        views = self.waves(directions / directions.norm(dim=-1, keepdim=True), self.octaves[1])
        x = places
        for place, layer in enumerate(self.layers):
            x = F.relu(layer(torch.cat([places, x], -1) if place == 5 else x))
        opacity = 1 - torch.exp(-F.relu(self.density(x)[..., 0]) * (4.0 / self.samples))
        views = views[:, None].expand(-1, self.samples, -1)
        colours = self.colour(F.relu(self.view(torch.cat([self.feature(x), views], -1)))).sigmoid()
        through = torch.log(1 - opacity + 1e-10)
        clear = torch.exp(torch.cumsum(through, -1) - through)
        return ((opacity * clear)[..., None] * colours).sum(1)

"""Blocks of networks."""

import coremltools as ct
import torch
from torch import nn
from torch.nn import functional as F

from torch_programs import case, ints, rand

# What the converter knows of attention are its parts.
torch.backends.mha.set_fastpath_enabled(False)

case("attention_heads", nn.MultiheadAttention(8, 2, batch_first=True), rand(1, 5, 8), rand(1, 6, 8), rand(1, 6, 8))
for target in (ct.target.iOS17, ct.target.iOS18):
    year = target.name[-2:]
    case(f"attention_{year}", F.scaled_dot_product_attention, rand(1, 2, 5, 4), rand(1, 2, 6, 4), rand(1, 2, 6, 4), target=target)
    case(f"attention_mask_{year}", F.scaled_dot_product_attention, rand(1, 2, 5, 4), rand(1, 2, 6, 4), rand(1, 2, 6, 4), rand(
        5, 6), target=target)
    case(f"attention_causal_{year}", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), rand(
        2, 2, 5, 4), rand(2, 2, 5, 4), rand(2, 2, 5, 4), target=target)
case("encoder_layer", nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, activation="gelu"), rand(1, 5, 8))
case("decoder_layer", nn.TransformerDecoderLayer(8, 2, 16, batch_first=True, norm_first=True), rand(1, 4, 8), rand(1, 5, 8))


class Residual(nn.Module):
    def __init__(self, width, stride):
        super().__init__()
        self.first, self.second = nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for _ in range(3))
        self.skip = nn.Conv2d(width, width, 1, stride, bias=False)

    def forward(self, x):
        y = self.norms[1](self.second(F.relu(self.norms[0](self.first(x)))))
        return F.relu(y + self.norms[2](self.skip(x)))


class Squeezed(nn.Module):
    """An inverted residual with a squeeze and excitation."""

    def __init__(self):
        super().__init__()
        self.widen, self.depth = nn.Conv2d(4, 12, 1), nn.Conv2d(12, 12, 3, padding=1, groups=12)
        self.squeeze, self.excite, self.narrow = nn.Conv2d(12, 3, 1), nn.Conv2d(3, 12, 1), nn.Conv2d(12, 4, 1)

    def forward(self, x):
        y = F.silu(self.depth(F.hardswish(self.widen(x))))
        gate = torch.sigmoid(self.excite(F.silu(self.squeeze(y.mean((2, 3), keepdim=True)))))
        return x + self.narrow(y * gate)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.down = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 8, 3, 2, 1)
        self.up, self.leave = nn.ConvTranspose2d(8, 4, 2, 2), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        wide = F.relu(self.enter(x))
        return self.leave(torch.cat([wide, self.up(F.relu(self.down(wide)))], 1))


class Patches(nn.Module):
    """A small vision transformer."""

    def __init__(self):
        super().__init__()
        self.patch, self.token = nn.Conv2d(3, 8, 4, 4), nn.Parameter(torch.randn(1, 1, 8))
        self.position = nn.Parameter(torch.randn(1, 5, 8))
        self.norm, self.all, self.out, self.head = nn.LayerNorm(8), nn.Linear(8, 24), nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.position
        q, k, v = self.all(self.norm(x)).reshape(1, 5, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        y = ((q @ k.transpose(-2, -1)) * 0.5).softmax(-1) @ v
        return self.head((x + self.out(y.transpose(1, 2).reshape(1, 5, 8)))[:, 0])


class Windows(nn.Module):
    """Shifted windows with a bias for each pair of places."""

    def __init__(self):
        super().__init__()
        self.all, self.bias = nn.Linear(4, 12), nn.Parameter(torch.randn(1, 2, 4, 4))

    def forward(self, x):
        x = torch.roll(x, (-1, -1), (1, 2)).view(1, 2, 2, 2, 2, 4).permute(0, 1, 3, 2, 4, 5).reshape(4, 4, 4)
        q, k, v = self.all(x).view(4, 4, 3, 2, 2).permute(2, 0, 3, 1, 4)
        y = (torch.softmax(q @ k.transpose(-1, -2) + self.bias, -1) @ v).transpose(1, 2).reshape(4, 4, 4)
        y = y.view(1, 2, 2, 2, 2, 4).permute(0, 1, 3, 2, 4, 5).reshape(1, 4, 4, 4)
        return torch.roll(y, (1, 1), (1, 2))


class Decoder(nn.Module):
    """A step of a language model with rotary positions and a mask of what comes later."""

    def __init__(self):
        super().__init__()
        self.table, self.all, self.out = nn.Embedding(16, 8), nn.Linear(8, 24, bias=False), nn.Linear(8, 16, bias=False)

    def forward(self, tokens):
        x = self.table(tokens)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)
        q, k, v = self.all(x).view(1, -1, 3, 2, 4).permute(2, 0, 3, 1, 4)
        angle = torch.outer(torch.arange(6.0), torch.tensor([1.0, 0.1]))
        turn = lambda t: torch.cat([t[..., :2] * angle.cos() - t[..., 2:] * angle.sin(), t[..., :2] * angle.sin() + t[..., 2:] * angle.cos()], -1)
        y = F.scaled_dot_product_attention(turn(q), turn(k), v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(1, 6, 8))


class Gated(nn.Module):
    """A dilated causal layer of a WaveNet."""

    def __init__(self):
        super().__init__()
        self.wide, self.out = nn.Conv1d(4, 8, 2, dilation=2), nn.Conv1d(4, 4, 1)

    def forward(self, x):
        tanh, gate = self.wide(F.pad(x, (2, 0))).chunk(2, 1)
        return x + self.out(torch.tanh(tanh) * torch.sigmoid(gate))


class Boxes(nn.Module):
    """The head of a detector: distances to four sides as distributions over bins."""

    def forward(self, x):
        sides = x.view(1, 4, 6, 9).transpose(1, 2).softmax(1)
        sides = (sides * torch.arange(6.0).view(1, 6, 1, 1)).sum(1)
        y, x = torch.meshgrid(torch.arange(3) + 0.5, torch.arange(3) + 0.5, indexing="ij")
        anchors = torch.stack([x, y]).view(1, 2, 9)
        start, end = sides.chunk(2, 1)
        return torch.cat([(2 * anchors + end - start) / 2, start + end], 1) * 8


case("residual", Residual(4, 1), rand(1, 4, 6, 6))
case("residual_strided", Residual(4, 2), rand(2, 4, 7, 6))
case("inverted_residual", Squeezed(), rand(1, 4, 6, 5))
case("inverted_residual_open", Squeezed(), rand(1, 4, 6, 5), flexible=[2, 3])
case("unet", UNet(), rand(1, 3, 8, 8))
case("vision_transformer", Patches(), rand(1, 3, 8, 8))
case("shifted_windows", Windows(), rand(1, 4, 4, 4))
case("language_model", Decoder(), ints(0, 16, 1, 6))
case("wavenet", Gated(), rand(1, 4, 11))
case("detector_head", Boxes(), rand(1, 24, 9))
case("vocoder", nn.Sequential(nn.Conv1d(5, 8, 7, padding=3), nn.LeakyReLU(0.1), nn.ConvTranspose1d(8, 4, 8, 4, 2), nn.LeakyReLU(
    0.1), nn.Conv1d(4, 1, 7, padding=3), nn.Tanh()), rand(1, 5, 6))
case("separable_volume", nn.Sequential(nn.Conv3d(2, 4, (1, 3, 3), padding=(0, 1, 1)), nn.ReLU(), nn.Conv3d(
    4, 4, (3, 1, 1), padding=(1, 0, 0)), nn.AvgPool3d((4, 5, 5)), nn.Flatten(), nn.Linear(4, 3)), rand(1, 2, 4, 5, 5))

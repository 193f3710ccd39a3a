"""Networks for texts, as small modules of torch: what network_modules.py is for other kinds."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from network_modules import Attention, RMSNorm


class T5Layer(nn.Module):
    """Attention without a scale, with a bias of distances; a feed-forward network; root mean squares in front."""

    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.open, self.close = nn.Linear(width, inner, bias=False), nn.Linear(inner, width, bias=False)
        self.norms = nn.ModuleList([RMSNorm(width), RMSNorm(width)])

    def forward(self, x, bias):
        batch, length, width = x.shape
        y = self.norms[0](x)
        parts = [f(y).view(batch, -1, self.heads, width // self.heads) for f in (self.q, self.k, self.v)]
        q, k, v = (part.transpose(1, 2) for part in parts)
        scores = torch.matmul(q / math.sqrt(8), k.transpose(3, 2)) + bias
        y = torch.matmul(F.softmax(scores.float(), -1).type_as(scores), v)
        x = x + self.out(y.transpose(1, 2).contiguous().view(batch, -1, width))
        return x + self.close(F.relu(self.open(self.norms[1](x))))


class T5Encoder(nn.Module):
    """The encoder of T5 small: distances fall into 32 buckets, the far ones by their logarithm."""

    def __init__(self, words=32128, width=512, heads=8, depth=6, buckets=32, farthest=128):
        super().__init__()
        self.buckets, self.farthest = buckets, farthest
        self.words, self.distances = nn.Embedding(words, width), nn.Embedding(buckets, heads)
        self.layers = nn.ModuleList(T5Layer(width, heads, 4 * width) for _ in range(depth))
        self.last = RMSNorm(width)

    def bucket(self, far):
        half = self.buckets // 2
        start, far, exact = (far > 0).long() * half, far.abs(), half // 2
        log = torch.log(far.float() / exact) / math.log(self.farthest / exact) * (half - exact)
        large = torch.min(exact + log.long(), torch.full_like(far, half - 1))
        return start + torch.where(far < exact, far, large)

    def forward(self, input_ids, attention_mask):
        x = self.words(input_ids)
        places = torch.arange(input_ids.shape[1])
        bias = self.distances(self.bucket(places[None] - places[:, None])).permute(2, 0, 1)[None]
        bias = bias + (1.0 - attention_mask[:, None, None].float()) * -1e9
        for layer in self.layers:
            x = layer(x, bias)
        return self.last(x)


class DebertaLayer(nn.Module):
    """Scores of content with content, content with distance and distance with content, the latter two gathered."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.think = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, -1).permute(0, 2, 1, 3).reshape(-1, length, width // self.heads)

    def forward(self, x, mask, near, places):
        batch, length, width = x.shape
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scale = math.sqrt(3 * width // self.heads)
        scores = torch.bmm(q, k.transpose(1, 2) / scale)
        far_k = self.split(self.k(near)).repeat(batch, 1, 1)
        far_q = self.split(self.q(near)).repeat(batch, 1, 1)
        index = places[None].expand(q.shape[0], length, length)
        scores = scores + torch.gather(torch.bmm(q, far_k.transpose(1, 2)), -1, index) / scale
        other = torch.gather(torch.bmm(k, far_q.transpose(1, 2)), -1, index)
        scores = (scores + other.transpose(1, 2) / scale).view(batch, self.heads, length, length)
        share = scores.masked_fill(mask == 0, torch.finfo(torch.float32).min).softmax(-1)
        y = torch.bmm(share.view(-1, length, length), v).view(batch, self.heads, length, -1)
        x = self.norms[0](x + self.out(y.permute(0, 2, 1, 3).reshape(batch, length, width)))
        return self.norms[1](x + self.think(x))


class Deberta(nn.Module):
    """Text understanding in the shape of DeBERTa-v3 small."""

    def __init__(self, words=30000, width=768, heads=12, depth=4, buckets=64, classes=3):
        super().__init__()
        self.buckets, self.words, self.norm = buckets, nn.Embedding(words, width), nn.LayerNorm(width)
        self.near, self.near_norm = nn.Parameter(torch.randn(2 * buckets, width) / 8), nn.LayerNorm(width)
        self.layers = nn.ModuleList(DebertaLayer(width, heads) for _ in range(depth))
        self.classify = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, classes))

    def forward(self, input_ids, attention_mask):
        x = self.norm(self.words(input_ids)) * attention_mask[..., None].float()
        mask = attention_mask[:, None, None] * attention_mask[:, None, :, None]
        places = torch.arange(input_ids.shape[1])
        far = (places[:, None] - places[None] + self.buckets).clamp(0, 2 * self.buckets - 1)
        near = self.near_norm(self.near)[None]
        for layer in self.layers:
            x = layer(x, mask, near, far)
        return self.classify(x[:, 0])


class QuickGELU(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(1.702 * x)


class ClipText(nn.Module):
    """CLIP's encoder of texts: a causal mask, norms in front, the features of the word that ends the text."""

    def __init__(self, words=49408, width=512, heads=8, depth=12, length=77):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Parameter(torch.randn(length, width) / 8)
        self.attends = nn.ModuleList(Attention(width, heads) for _ in range(depth))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * depth))
        self.thinks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 4 * width), QuickGELU(), nn.Linear(4 * width, width)) for _ in range(depth))
        self.last, self.project = nn.LayerNorm(width), nn.Linear(width, width, bias=False)
        self.register_buffer("mask", torch.full((length, length), -math.inf).triu(1))

    def forward(self, text):
        x = self.words(text) + self.places
        for place, (attend, think) in enumerate(zip(self.attends, self.thinks)):
            x = x + attend(self.norms[2 * place](x), self.mask)
            x = x + think(self.norms[2 * place + 1](x))
        y = self.last(x)[torch.arange(text.shape[0]), text.argmax(-1)]
        y = self.project(y)
        return y / y.norm(dim=-1, keepdim=True)


class GptStep(nn.Module):
    """One token more for each of a batch, in the shape of GPT-2: a product for q, k and v, caches, GELU by tanh."""

    def __init__(self, words=8192, width=768, heads=12, depth=6, places=1024):
        super().__init__()
        self.heads = heads
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(places, width)
        self.qkv = nn.ModuleList(nn.Linear(width, 3 * width) for _ in range(depth))
        self.outs = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * depth + 1))
        self.thinks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 4 * width), nn.GELU("tanh"), nn.Linear(4 * width, width))
            for _ in range(depth))

    def forward(self, token, position, *past):
        x, present = self.words(token) + self.places(position), []
        for place, (qkv, out, think) in enumerate(zip(self.qkv, self.outs, self.thinks)):
            parts = qkv(self.norms[2 * place](x)).split(x.shape[2], 2)
            q, k, v = (y.view(x.shape[0], -1, self.heads, 64).permute(0, 2, 1, 3) for y in parts)
            k, v = torch.cat([past[2 * place], k], 2), torch.cat([past[2 * place + 1], v], 2)
            present += [k, v]
            share = (torch.matmul(q, k.transpose(-1, -2)) / 64**0.5).softmax(-1)
            y = torch.matmul(share, v).permute(0, 2, 1, 3).reshape(x.shape)
            x = x + out(y)
            x = x + think(self.norms[2 * place + 1](x))
        return F.linear(self.norms[-1](x), self.words.weight), *present


class MambaBlock(nn.Module):
    """A selective state space: gated, a short depthwise convolution, a scan over steps whose matrices data decide."""

    def __init__(self, width, states, kernel=4):
        super().__init__()
        inner, self.states, self.rank = 2 * width, states, width // 16
        self.norm, self.open = RMSNorm(width), nn.Linear(width, 2 * inner, bias=False)
        self.conv = nn.Conv1d(inner, inner, kernel, padding=kernel - 1, groups=inner)
        self.select = nn.Linear(inner, self.rank + 2 * states, bias=False)
        self.rate, self.close = nn.Linear(self.rank, inner), nn.Linear(inner, width, bias=False)
        self.decay = nn.Parameter(torch.log(torch.arange(1.0, states + 1)).repeat(inner, 1))
        self.skip = nn.Parameter(torch.ones(inner))

    def forward(self, x):
        length = x.shape[1]
        y, gate = self.open(self.norm(x)).chunk(2, -1)
        y = F.silu(self.conv(y.transpose(1, 2))[..., :length].transpose(1, 2))
        rate, b, c = self.select(y).split([self.rank, self.states, self.states], -1)
        rate = F.softplus(self.rate(rate))
        decay = torch.exp(rate[..., None] * -torch.exp(self.decay))
        added = (rate * y)[..., None] * b[:, :, None]
        state, outs = torch.zeros_like(added[:, 0]), []
        for step in range(length):
            state = decay[:, step] * state + added[:, step]
            outs.append((state * c[:, step, None]).sum(-1))
        y = (torch.stack(outs, 1) + y * self.skip) * F.silu(gate)
        return x + self.close(y)


class Mamba(nn.Module):
    """A language model in the shape of Mamba, its scan written out over the steps of a short text."""

    def __init__(self, words=8192, width=256, states=16, depth=4):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.blocks = nn.Sequential(*[MambaBlock(width, states) for _ in range(depth)])
        self.last = RMSNorm(width)

    def forward(self, text):
        return F.linear(self.last(self.blocks(self.words(text))), self.words.weight)

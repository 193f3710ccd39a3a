"""Functions of tensors."""

import torch
from torch.nn import functional as F

from torch_programs import case, ints, rand

UNARY = [
    "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "exp", "exp2", "floor", "neg", "round", "sign", "sin",
    "sinh", "square", "tan", "tanh", "atanh", "frac",
]
for name in UNARY:
    case(f"unary_{name}", getattr(torch, name), rand(3, 4, low=-0.9, high=0.9) * (1 if name in ("acos", "asin", "atanh") else 3))
# The converter adds 1e-4 to what it inverts: of large numbers that is little.
case("unary_reciprocal", torch.reciprocal, rand(3, 4, low=100, high=300) * torch.tensor([-1.0, 1, 1, -1]))
for name in ("log", "log1p", "log2", "log10", "sqrt", "rsqrt"):
    case(f"unary_{name}", getattr(torch, name), rand(3, 4, low=0.1, high=5))
for name in ("add", "sub", "mul", "div", "maximum", "minimum", "pow", "remainder", "floor_divide", "atan2"):
    case(f"binary_{name}", getattr(torch, name), rand(3, 1, 4, low=0.2, high=3), rand(2, 4, low=0.3, high=2))
for name in ("add", "sub", "mul", "remainder"):
    case(f"integers_{name}", getattr(torch, name), ints(1, 40, 3, 4), ints(1, 7, 4))
# The converter divides them as floats.
case("integers_floor_divide", lambda x, y: torch.floor_divide(x, y).float(), ints(1, 40, 3, 4), ints(1, 7, 4))
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    case(f"compare_{name}", lambda x, y: getattr(torch, name)(x, y).float(), ints(0, 3, 4, 5), ints(0, 3, 4, 5))
for name in ("logical_and", "logical_or", "logical_xor"):
    case(f"{name}", lambda x, y: getattr(torch, name)(x > 0, y > 0).float(), rand(3, 4), rand(3, 4))
case("logical_not", lambda x: torch.logical_not(x > 0).float(), rand(3, 4))
case("addcdiv", lambda x, y, z: x + 0.5 * y / z, rand(3, 4), rand(3, 4), rand(4, low=1, high=2))
case("clamp", lambda x: x.clamp(-0.3, 0.5), rand(3, 4))
case("clamp_low", lambda x: x.clamp(min=0.1), rand(3, 4))

for name in ("sum", "mean", "amax", "amin"):
    case(f"reduce_{name}", lambda x: getattr(torch, name)(x, dim=(0, 2)), rand(3, 4, 5))
    case(f"reduce_{name}_kept", lambda x: getattr(torch, name)(x, dim=(-1,), keepdim=True), rand(3, 4, 5))
case("reduce_max_pair", lambda x: torch.max(x, dim=1), rand(3, 6))
case("reduce_min_pair", lambda x: torch.min(x, dim=0, keepdim=True), rand(3, 6))
case("std", lambda x: x.std(dim=1), rand(3, 6))
case("var", lambda x: x.var(dim=(1, 2), unbiased=False, keepdim=True), rand(3, 4, 5))
case("norm", lambda x: x.norm(dim=1), rand(3, 5))
case("norm_one", lambda x: x.norm(p=1, dim=-1, keepdim=True), rand(3, 5))
case("frobenius", lambda x: torch.linalg.norm(x, dim=(1, 2)), rand(2, 3, 5))
case("logsumexp", lambda x: torch.logsumexp(x, 1), rand(3, 5, low=-9, high=9))
case("any_all", lambda x: ((x > 0).any(1).float(), (x > -0.9).all(0).float()), rand(4, 5))
case("cumsum", lambda x: x.cumsum(1), rand(3, 5, 2))
case("argmax", lambda x: x.argmax(1), rand(3, 7))
case("argmin", lambda x: x.argmin(dim=0, keepdim=True), rand(3, 7))
case("topk", lambda x: torch.topk(x, 3, dim=-1), rand(3, 7))
case("topk_least", lambda x: torch.topk(x, 2, dim=1, largest=False), rand(3, 7))
case("sort", lambda x: torch.sort(x, dim=1, descending=True), rand(3, 6))
case("argsort", lambda x: torch.argsort(x, dim=-1), rand(3, 6))

case("matmul", torch.matmul, rand(2, 3, 4, 5), rand(3, 5, 2))
case("dot", torch.dot, rand(5), rand(5))
case("bmm", torch.bmm, rand(2, 3, 4), rand(2, 4, 5))
case("baddbmm", lambda z, x, y: torch.baddbmm(z, x, y), rand(2, 3, 5), rand(2, 3, 4), rand(2, 4, 5))
case("addmm", lambda z, x, y: torch.addmm(z, x, y), rand(5), rand(3, 4), rand(4, 5))
case("outer", lambda x, y: torch.outer(x, y), rand(3), rand(4))
for turn, (equation, left, right) in enumerate([
    ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)), ("bhqk,bkhd->bqhd", (2, 3, 4, 6), (2, 6, 3, 5)),
    ("bnij,bnjk->bnik", (2, 3, 4, 5), (2, 3, 5, 2)), ("nchw,nwhu->nchu", (2, 3, 4, 5), (2, 5, 4, 6)),
]):
    case(f"einsum_{turn}", lambda x, y: torch.einsum(equation, x, y), rand(*left), rand(*right))

case("where", lambda x, y: torch.where(x > y, x, 2 * y), rand(3, 4), rand(4))
case("masked_fill", lambda x: x.masked_fill(x < 0, -7.0), rand(3, 4))
case("gather", lambda x, i: torch.gather(x, 1, i), rand(3, 5), ints(0, 5, 3, 4))
case("index_select", lambda x: torch.index_select(x, 1, torch.tensor([3, 0, 3])), rand(2, 4, 3))
case("take_rows", lambda x, i: x[i], rand(5, 3), ints(0, 5, 4))
case("take_columns", lambda x: x[:, [2, 0]], rand(4, 3))
case("scatter", lambda x, i, u: torch.scatter(x, 1, i, u), rand(3, 5), torch.tensor([[0, 2], [4, 1], [3, 0]]), rand(3, 2))
case("scatter_add", lambda x, i, u: torch.scatter_add(x, 1, i, u), rand(3, 5), ints(0, 5, 3, 4), rand(3, 4))
case("nonzero_count", lambda x: (x > 0).float().sum(), rand(3, 4))
case("one_hot", lambda i: F.one_hot(i, 6).float(), ints(0, 6, 2, 4))
case("tril", lambda x: torch.tril(x, 1), rand(4, 5))
case("triu", lambda x: torch.triu(x, -1), rand(2, 4, 5))
case("eye", lambda x: x + torch.eye(4), rand(4, 4))
case("arange", lambda x: x * torch.arange(5).float() + torch.full((5,), 0.5), rand(3, 5))
case("meshgrid", lambda x: torch.stack(torch.meshgrid(x, torch.arange(3.0), indexing="ij")), rand(4))

case("permute", lambda x: x.permute(2, 0, 3, 1), rand(2, 3, 4, 5))
case("transpose", lambda x: x.transpose(1, -1).contiguous().view(2, -1), rand(2, 3, 4))
case("reshape", lambda x: x.reshape(4, -1, 3), rand(2, 6, 4))
case("reshape_open", lambda x: x.reshape(x.shape[0], -1), rand(2, 3, 4), flexible=[0])
case("squeeze", lambda x: x.squeeze(1).unsqueeze(-1), rand(3, 1, 4))
case("expand", lambda x: x.expand(2, 3, 4) + 1, rand(3, 1))
case("repeat", lambda x: x.repeat(2, 1, 3), rand(2, 3))
case("repeat_interleave", lambda x: x.repeat_interleave(2, dim=1), rand(2, 3))
case("flip", lambda x: x.flip(0, 2), rand(3, 4, 5))
case("roll", lambda x: torch.roll(x, (1, -2), (0, 2)), rand(3, 4, 5))
case("cat", lambda x, y: torch.cat([x, y, x], -1), rand(3, 2), rand(3, 4))
case("stack", lambda x, y: torch.stack([x, y], 1), rand(3, 2), rand(3, 2))
case("split", lambda x: [2 * part for part in torch.split(x, [1, 3, 2], dim=1)], rand(2, 6))
case("chunk", lambda x: [part + 1 for part in x.chunk(3, dim=-1)], rand(2, 6))
case("unbind", lambda x: [part * 3 for part in x.unbind(1)], rand(2, 3, 4))
case("slice", lambda x: x[1:, ::2, -3:-1], rand(3, 5, 4))
case("slice_negative", lambda x: x[..., -1] + x[:, 0], rand(3, 3))
case("narrow", lambda x: x.narrow(1, 2, 3), rand(2, 6))
case("select", lambda x: x.select(1, 2), rand(2, 4, 3))
case("im2col", lambda x: F.unfold(x, 3, padding=1, stride=2), rand(1, 2, 6, 7))
case("assigned", lambda x, y: torch.cat([x[:, :2], y, x[:, 3:]], 1), rand(2, 5), rand(2, 1))
case("dropout", lambda x: F.dropout(x, 0.5, training=False), rand(3, 4))
case("cast", lambda x: x.int().float() / 2, rand(3, 4, low=-5, high=5))
case("cosine_similarity", lambda x, y: F.cosine_similarity(x, y, dim=1), rand(3, 5), rand(3, 5))
case("pairwise", lambda x, y: ((x[:, None] - y[None]) ** 2).sum(-1).sqrt(), rand(3, 4), rand(5, 4))

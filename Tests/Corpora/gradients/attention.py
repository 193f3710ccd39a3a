"""Attention as one operator, with what it may have besides, and rotary embeddings."""
import math

import numpy as np
import torch
import torch.nn.functional as F

from gradient_cases import Variable, case, integer, pick, reals, variable


def heads(x, count):
    """`[batch, length, count · width]` as `[batch, count, length, width]`."""
    return x.unflatten(2, (count, -1)).transpose(1, 2) if x.dim() == 3 else x


def packed(shape, rank):
    """The shape of an operand of rank 4, or of rank 3 with its heads in the last axis."""
    batch, count, length, width = shape
    return shape if rank == 4 else [batch, length, count * width]


class Sizes:
    """Drawn extents: `members` heads of queries for each of `groups` heads of keys."""

    def __init__(self, rank=4, past=0):
        self.rank, self.past = rank, past
        self.batch, self.groups, self.members = integer(1, 2), integer(1, 2), integer(1, 3)
        self.queries, self.keys = integer(1, 4), integer(2, 5)
        self.width, self.value_width = integer(1, 4), integer(1, 4)
        self.heads = self.groups * self.members
        self.options = {"q_num_heads": self.heads, "kv_num_heads": self.groups} if rank == 3 else {}

    def operands(self):
        forms = [[self.batch, self.heads, self.queries, self.width], [self.batch, self.groups, self.keys, self.width],
                 [self.batch, self.groups, self.keys, self.value_width]]
        return [variable(packed(form, self.rank)) for form in forms]

    def mask_form(self):
        """Extents of a mask of rank 2, 3 or 4, 1 among the leading ones."""
        leading = [pick(1, self.batch), pick(1, self.heads)]
        return [*leading[2 - integer(0, 2):], self.queries, self.keys + self.past]


def scores_of(query, key, scale):
    return query @ key.transpose(2, 3) * (1 / math.sqrt(query.shape[3]) if scale is None else scale)


def allowed(sizes, causal, left=-1, right=-1):
    """Which key, from the past on, a query may attend to."""
    distance = torch.arange(sizes.keys + sizes.past) - torch.arange(sizes.queries)[:, None] - sizes.past
    result = torch.ones_like(distance, dtype=torch.bool)
    for applies, part in ((causal, distance <= 0), (left >= 0, distance >= -left), (right >= 0, distance <= right)):
        result = result & part if applies else result
    return result


def whole(sizes, scale=None, causal=False, left=-1, right=-1):
    """What PyTorch's own attention says; masks are added, or truth values."""
    def answer(query, key, value, mask=None):
        query, key, value = heads(query, sizes.heads), heads(key, sizes.groups), heads(value, sizes.groups)
        bands = allowed(sizes, causal, left, right)
        if mask is None:
            mask = bands
        else:
            mask = mask & bands if mask.dtype == torch.bool else mask.masked_fill(~bands, -torch.inf)
        y = F.scaled_dot_product_attention(query, key, value, mask, scale=scale, enable_gqa=True)
        return y if sizes.rank == 4 else y.transpose(1, 2).flatten(2)

    return answer


for rank in (3, 4):
    for _ in range(3):
        sizes = Sizes(rank)
        scale = pick(None, 0.5, 1.25)
        options = sizes.options | ({} if scale is None else {"scale": scale})
        case(f"Attention{rank}", "Attention", whole(sizes, scale), sizes.operands(), opset=23, **options)
        case(f"Attention{rank}.causal", "Attention", whole(sizes, scale, True), sizes.operands(), opset=23, is_causal=1,
             **options)
        causal = integer(0, 1)
        case(f"Attention{rank}.bias", "Attention", whole(sizes, scale, bool(causal)),
             [*sizes.operands(), variable(sizes.mask_form())], opset=23, is_causal=causal, **options)
        # Every query may attend to the first key.
        mask = reals(sizes.mask_form()) > 0
        mask[..., 0] = True
        case(f"Attention{rank}.mask", "Attention", whole(sizes, scale, bool(causal)), [*sizes.operands(), mask],
             opset=23, is_causal=causal, **options)


def stepwise(sizes, mode, cap, scale):
    """All outputs, the past among them; the scores as they are after step `mode`."""
    def answer(query, key, value, mask, past_key, past_value):
        query, key, value = heads(query, sizes.heads), heads(key, sizes.groups), heads(value, sizes.groups)
        key, value = torch.cat([past_key, key], 2), torch.cat([past_value, value], 2)
        steps = [scores_of(query, key.repeat_interleave(sizes.members, 1), scale)]
        steps.append(cap * torch.tanh(steps[0] / cap) if cap else steps[0])
        steps.append(steps[1] + mask)
        steps.append(torch.softmax(steps[2], 3))
        y = steps[3] @ value.repeat_interleave(sizes.members, 1)
        return [y if sizes.rank == 4 else y.transpose(1, 2).flatten(2), key, value, steps[mode]]

    return answer


for mode in (0, 1, 2, 3):
    sizes = Sizes(pick(3, 4), integer(1, 3))
    cap, scale = pick(0.0, 2.0), pick(None, 0.75)
    past = [variable([sizes.batch, sizes.groups, sizes.past, width]) for width in (sizes.width, sizes.value_width)]
    inputs = [*sizes.operands(), variable(sizes.mask_form()), *past]
    options = sizes.options | ({} if scale is None else {"scale": scale}) | ({"softcap": cap} if cap else {})
    case("Attention.past", "Attention", stepwise(sizes, mode, cap, scale), inputs, count=4, opset=24,
         qk_matmul_output_mode=mode, **options)
    case("Attention.past.plain", "Attention", lambda *x: stepwise(sizes, mode, cap, scale)(*x)[:3], inputs, count=3,
         opset=24, **options)
    sizes = Sizes(4)
    case("Attention.softcap", "Attention",
         lambda q, k, v: stepwise(sizes, 0, 1.5, scale)(q, k, v, 0, k[:, :, :0], v[:, :, :0])[0], sizes.operands(),
         opset=23, softcap=1.5, **({} if scale is None else {"scale": scale}))
    # A query attends to no more than its window.
    sizes = Sizes(4)
    sizes.queries = integer(1, sizes.keys)
    left, right = integer(0, 2), integer(0, 2)
    case("Attention.window", "Attention", whole(sizes, left=left, right=right), sizes.operands(), opset=25,
         left_window_size=left, right_window_size=right)
    # Queries are the last of those keys that are no padding.
    causal = integer(0, 1)
    counts = np.array([integer(sizes.queries, sizes.keys) for _ in range(sizes.batch)])

    def unpadded(query, key, value, _, past_key, past_value, counts):
        columns, rows = torch.arange(sizes.keys), torch.arange(sizes.queries)[:, None]
        ends = counts[:, None, None, None]
        seen = columns <= rows + ends - sizes.queries if causal else columns < ends
        return F.scaled_dot_product_attention(query, key, value, seen, enable_gqa=True)

    case("Attention.unpadded", "Attention", unpadded, [*sizes.operands(), None, None, None, counts], opset=24,
         is_causal=causal)


def turned(x, cos, sin, interleaved):
    """Pairs of the last axis as complex numbers, times those of the tables."""
    pairs = x.unflatten(-1, (-1, 2)) if interleaved else torch.stack(x.chunk(2, -1), -1)
    y = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * torch.complex(cos, sin))
    return y.flatten(-2) if interleaved else torch.cat([y[..., 0], y[..., 1]], -1)


for number in range(6):
    rank, interleaved = 3 + number % 2, integer(0, 1)
    batch, count, length, half = integer(1, 2), integer(1, 3), integer(1, 4), integer(1, 3)
    rest = pick(0, 2)
    width = 2 * half + rest
    angles = reals([length + 2, half], -3, 3) if number < 4 else reals([batch, length, half], -3, 3)
    ids = [np.array([[integer(0, length + 1) for _ in range(length)] for _ in range(batch)])] if number < 4 else []

    def rotated(x, cos, sin, places=None):
        if places is not None:
            cos, sin = cos[places], sin[places]
        split = heads(x, count)
        cos, sin = cos[:, None], sin[:, None]
        y = torch.cat([turned(split[..., :2 * half], cos, sin, interleaved), split[..., 2 * half:]], -1)
        return y if rank == 4 else y.transpose(1, 2).flatten(2)

    case(f"RotaryEmbedding{rank}", "RotaryEmbedding", rotated,
         [variable(packed([batch, count, length, width], rank)), Variable(np.cos(angles)), Variable(np.sin(angles)),
          *ids], opset=23, interleaved=interleaved, num_heads=count, rotary_embedding_dim=2 * half if rest else 0)

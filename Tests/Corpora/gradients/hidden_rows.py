"""Attention with queries that may attend to no key: their row is 0, and depends on nothing."""
import numpy as np
import torch
import torch.nn.functional as F

from attention import Sizes
from gradient_cases import case, integer, reals


def guarded(mask):
    """PyTorch's attention with all keys for queries that have none, whose rows are then put to 0."""
    has_keys = (mask if mask.dtype == torch.bool else mask > -torch.inf).any(-1, keepdim=True)

    def answer(query, key, value):
        open_rows = torch.full_like(mask, mask.dtype == torch.bool)
        y = F.scaled_dot_product_attention(query, key, value, torch.where(has_keys, mask, open_rows), enable_gqa=True)
        return torch.where(has_keys, y, torch.zeros_like(y))

    return answer


for _ in range(3):
    sizes = Sizes()
    seen = reals([sizes.batch, 1, sizes.queries, sizes.keys]) > 0
    seen[:, :, integer(0, sizes.queries - 1)] = False
    case("Attention.hidden.mask", "Attention", lambda q, k, v, m: guarded(m)(q, k, v), [*sizes.operands(), seen],
         opset=23)
    bias = np.where(seen, reals(list(seen.shape)), np.float32(-np.inf))
    case("Attention.hidden.bias", "Attention", lambda q, k, v, m: guarded(m)(q, k, v), [*sizes.operands(), bias],
         opset=23)

    def capped(query, key, value, bias):
        """The same with scores that tanh bounds to ±2."""
        key, value = key.repeat_interleave(sizes.members, 1), value.repeat_interleave(sizes.members, 1)
        has_keys = torch.isfinite(bias).any(-1, keepdim=True)
        scores = 2 * torch.tanh(query @ key.mT / sizes.width ** 0.5 / 2) + torch.where(has_keys, bias, 0)
        return torch.where(has_keys, torch.softmax(scores, -1), 0) @ value

    case("Attention.hidden.softcap", "Attention", capped, [*sizes.operands(), bias], opset=23, softcap=2.0)
    sizes.queries = sizes.keys
    counts = np.array([integer(1, sizes.keys - 1) for _ in range(sizes.batch)])
    places = np.arange(sizes.keys)
    rows = places[:, None] + counts[:, None, None, None] - sizes.queries
    own = torch.tensor((places <= rows) & (places < counts[:, None, None, None]))
    case("Attention.hidden.unpadded", "Attention", lambda q, k, v, *_: guarded(own)(q, k, v),
         [*sizes.operands(), None, None, None, counts], opset=24, is_causal=1)

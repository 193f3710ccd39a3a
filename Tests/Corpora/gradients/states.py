"""Linear attention of one place, and the greatest elements of regions."""
import numpy as np
import torch

from gradient_cases import Variable, case, integer, pick, random, variable


def attended(rule, heads, members, scale):
    """Each head of keys has a state, which the place fades, adds to, and reads; batch and heads are one axis."""
    def answer(query, key, value, past, decay=None, beta=None):
        q, k, v = (x.unflatten(2, (count, -1))[:, 0] for x, count in
                   ((query, heads * members), (key, heads), (value, heads)))
        state = past if decay is None else past * decay.unflatten(2, (heads, -1))[:, 0, :, :, None].exp()
        if beta is not None:
            v = beta[:, 0, :, None] * (v - torch.einsum("bhd,bhde->bhe", k, state))
        state = state + torch.einsum("bhd,bhe->bhde", k, v)
        y = torch.einsum("bhmd,bhde->bhme", q.unflatten(1, (heads, members)), state) * scale
        return [y.flatten(1)[:, None], state]

    return answer


for number in range(8):
    rule = ("linear", "gated", "delta", "gated_delta")[number % 4]
    batch, heads, members, width, value_width = (integer(1, 3) for _ in range(5))
    scale = pick(1.0, 0.5)
    fades = variable([batch, 1, heads * pick(1, width)], -1, 0) if rule.startswith("gated") else None
    rates = [variable([batch, 1, heads], 0, 1)] if rule.endswith("delta") else []
    case(f"LinearAttention.{rule}", "LinearAttention", attended(rule, heads, members, scale),
         [variable([batch, 1, heads * members * width]), variable([batch, 1, heads * width]),
          variable([batch, 1, heads * value_width]), variable([batch, heads, width, value_width]),
          *([fades, *rates] if fades or rates else [])], count=2, opset=27, update_rule=rule, scale=scale,
         q_num_heads=heads * members, kv_num_heads=heads)

for _ in range(4):
    extents = [integer(1, 2), integer(1, 2), integer(5, 7), integer(5, 7)]
    count, bins = integer(1, 3), [integer(1, 3), integer(1, 3)]
    rois = []
    for _ in range(count):
        x, y = integer(0, 2), integer(0, 2)
        rois.append([integer(0, extents[0] - 1), x, y, x + integer(1, extents[3] - 4), y + integer(1, extents[2] - 4)])
    data = random.permutation(int(np.prod(extents))).reshape(extents) / 8 - 2

    def pooled(x, rois):
        """The greatest of each bin: whole elements that it touches."""
        rows = []
        for image, left, top, right, bottom in rois.int().tolist():
            region = x[image, :, top:bottom + 1, left:right + 1]
            rows.append(torch.nn.functional.adaptive_max_pool2d(region, bins))
        return torch.stack(rows)

    case("MaxRoiPool", "MaxRoiPool", pooled, [Variable(data), np.array(rois, np.float32)], opset=21, pooled_shape=bins)

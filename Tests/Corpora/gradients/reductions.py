"""What goes along axes: reductions, running sums, norms."""
import numpy as np
import torch
import torch.nn.functional as F

from gradient_cases import case, integer, pick, reals, shape, variable


def axes_of(extents):
    count = integer(1, len(extents))
    chosen = sorted(np.random.default_rng(integer(0, 1 << 20)).permutation(len(extents))[:count].tolist())
    return [axis - (len(extents) if integer(0, 1) else 0) for axis in chosen]


def prod(x, axes, keep):
    for axis in sorted(axis % x.dim() for axis in axes)[::-1]:
        x = x.prod(axis, keepdim=keep)
    return x


REDUCTIONS = {
    "ReduceSum": (lambda x, a, k: x.sum(a, keepdim=k), -2), "ReduceMean": (lambda x, a, k: x.mean(a, keepdim=k), -2),
    "ReduceMax": (lambda x, a, k: x.amax(a, keepdim=k), -2), "ReduceMin": (lambda x, a, k: x.amin(a, keepdim=k), -2),
    "ReduceProd": (prod, 0.5), "ReduceL1": (lambda x, a, k: x.abs().sum(a, keepdim=k), -2),
    "ReduceL2": (lambda x, a, k: x.square().sum(a, keepdim=k).sqrt(), 0.2),
    "ReduceLogSum": (lambda x, a, k: x.sum(a, keepdim=k).log(), 0.2),
    "ReduceLogSumExp": (lambda x, a, k: torch.logsumexp(x, a, keepdim=k), -2),
    "ReduceSumSquare": (lambda x, a, k: x.square().sum(a, keepdim=k), -2),
}
for op, (answer, low) in REDUCTIONS.items():
    for _ in range(3):
        extents = shape(1, 4)
        axes, keep = axes_of(extents), bool(integer(0, 1))
        case(op, op, lambda x, _: answer(x, axes, keep), [variable(extents, low, 2), np.array(axes)], keepdims=int(keep))

for _ in range(3):
    extents = shape(1, 4)
    axis = integer(-len(extents), len(extents) - 1)
    case("Softmax", "Softmax", lambda x: F.softmax(x, axis), [variable(extents, -3, 3)], axis=axis)
    case("LogSoftmax", "LogSoftmax", lambda x: F.log_softmax(x, axis), [variable(extents, -3, 3)], axis=axis)
    case("LpNormalization", "LpNormalization", lambda x: x / x.norm(dim=axis, keepdim=True),
         [variable(extents, 0.2, 2)], axis=axis, p=2)
    reverse, exclusive = integer(0, 1), integer(0, 1)

    def running(x, _):
        x = x.flip(axis) if reverse else x
        sums = torch.cumsum(x, axis) - (x if exclusive else 0)
        return sums.flip(axis) if reverse else sums

    case("CumSum", "CumSum", running, [variable(extents), np.array(axis)], reverse=reverse, exclusive=exclusive)

for _ in range(4):
    extents = shape(2, 4)
    axis = integer(1, len(extents) - 1)
    inner = extents[axis:]
    case("LayerNormalization", "LayerNormalization", lambda x, w, b: F.layer_norm(x, inner, w, b, 1e-3),
         [variable(extents), variable(inner), variable(inner)], axis=axis, epsilon=1e-3)
    case("LayerNormalization.plain", "LayerNormalization", lambda x, w: F.layer_norm(x, inner, w, None, 1e-3),
         [variable(extents), variable(inner)], axis=axis, epsilon=1e-3)
    channels = pick(2, 4, 6)
    planes = [integer(1, 3), channels] + [integer(2, 4) for _ in range(integer(1, 2))]
    case("InstanceNormalization", "InstanceNormalization",
         lambda x, w, b: F.instance_norm(x, weight=w, bias=b, eps=1e-3),
         [variable(planes), variable([channels]), variable([channels])], epsilon=1e-3)
    groups = pick(1, 2, channels)
    case("GroupNormalization", "GroupNormalization", lambda x, w, b: F.group_norm(x, groups, w, b, 1e-3),
         [variable(planes), variable([channels]), variable([channels])], num_groups=groups, epsilon=1e-3)
    case("BatchNormalization", "BatchNormalization",
         lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b, False, 0.1, 1e-3),
         [variable(planes), variable([channels]), variable([channels]), reals([channels]),
          reals([channels], 0.5, 2)], epsilon=1e-3)
    size = pick(1, 3, 5)
    case("LRN", "LRN", lambda x: F.local_response_norm(x, size, 0.3, 0.75, 1.5), [variable(planes)], size=size,
         alpha=0.3, beta=0.75, bias=1.5)

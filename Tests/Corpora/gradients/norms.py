"""Norms with all that they may give or take: statistics of the batch, moments, root mean squares."""
import numpy as np
import torch
import torch.nn.functional as F

from gradient_cases import case, integer, pick, shape, variable


def planes_of(channels, axes):
    return [integer(2, 3), channels] + [integer(2, 4 if axes < 3 else 2) for _ in range(axes)]


def trained(momentum):
    """The batch's own statistics, the variance divided by the number of elements."""
    def answer(x, w, b, m, v):
        axes = [axis for axis in range(x.dim()) if axis != 1]
        y = F.batch_norm(x, None, None, w, b, True, 0.0, 1e-3)
        mean, variance = x.mean(axes), x.var(axes, correction=0)
        return [y, momentum * m + (1 - momentum) * mean, momentum * v + (1 - momentum) * variance]

    return answer


for number in range(8):
    channels = integer(1, 4)
    planes = planes_of(channels, number % 4)
    vectors = [variable([channels]), variable([channels]), variable([channels]), variable([channels], 0.5, 2)]
    momentum = pick(0.9, 0.6)
    case("BatchNormalization.training", "BatchNormalization", trained(momentum), [variable(planes), *vectors], count=3,
         training_mode=1, momentum=momentum, epsilon=1e-3)
    # Gradients by the statistics besides, which PyTorch's own function has not.
    along = [1, channels] + [1] * (len(planes) - 2)
    case("BatchNormalization.given", "BatchNormalization",
         lambda x, w, b, m, v: ((x - m.view(along)) / (v.view(along) + 1e-3).sqrt()) * w.view(along) + b.view(along),
         [variable(planes), *vectors], epsilon=1e-3)

for _ in range(5):
    extents = shape(2, 4)
    extents[-1] = integer(3, 5)
    axis = integer(1, len(extents) - 1)
    inner, epsilon = extents[axis:], 1e-2
    negative = axis - len(extents)
    case("RMSNormalization", "RMSNormalization", lambda x, w: F.rms_norm(x, inner, w, epsilon),
         [variable(extents), variable(inner)], opset=23, axis=pick(axis, negative), epsilon=epsilon)
    case("RMSNormalization.broadcast", "RMSNormalization", lambda x, w: F.rms_norm(x, inner, None, epsilon) * w,
         [variable(extents), variable([1] * (len(inner) - 1) + inner[-1:])], opset=23, axis=axis, epsilon=epsilon)

    def moments(x, w, b):
        axes = list(range(axis, x.dim()))
        deviation = (x.var(axes, correction=0, keepdim=True) + epsilon).rsqrt()
        return [F.layer_norm(x, inner, w, b, epsilon), x.mean(axes, keepdim=True), deviation]

    case("LayerNormalization.moments", "LayerNormalization", moments,
         [variable(extents), variable(inner), variable(inner)], count=3, axis=negative, epsilon=epsilon)
    case("LayerNormalization.broadcast", "LayerNormalization",
         lambda x, w, b: F.layer_norm(x, inner, None, None, epsilon) * w + b,
         [variable(extents), variable(inner[-1:]), variable([1] * (len(inner) - 1) + inner[-1:])], axis=axis,
         epsilon=epsilon)
    groups = integer(1, 3)
    planes = planes_of(groups * integer(1, 3), 3)
    case("GroupNormalization3", "GroupNormalization", lambda x, w, b: F.group_norm(x, groups, w, b, epsilon),
         [variable(planes), variable(planes[1:2]), variable(planes[1:2])], num_groups=groups, epsilon=epsilon)
    planes = planes_of(integer(1, 3), 3)
    case("InstanceNormalization3", "InstanceNormalization",
         lambda x, w, b: F.instance_norm(x, weight=w, bias=b, eps=epsilon),
         [variable(planes), variable(planes[1:2]), variable(planes[1:2])], epsilon=epsilon)
    case("LpNormalization.p1", "LpNormalization", lambda x: F.normalize(x, 1.0, axis), [variable(extents)], axis=axis,
         p=1)
    axes = sorted(np.random.default_rng(integer(0, 1 << 20)).permutation(4)[:integer(2, 4)].tolist())
    case("MeanVarianceNormalization", "MeanVarianceNormalization",
         lambda x: (x - x.mean(axes, keepdim=True)) / x.std(axes, correction=0, keepdim=True),
         [variable([3, 4, 3, 2])], axes=axes)
assert torch.allclose(F.rms_norm(torch.ones(3), [3], None, 0.0), torch.ones(3))

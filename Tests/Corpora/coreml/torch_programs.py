"""Converts PyTorch modules into ML programs with coremltools; the answers are PyTorch's."""

import random

import coremltools as ct
import numpy as np
import torch

from programs import TARGETS, file_model, flat, save

torch.manual_seed(11)
draw = random.Random(11)


class Plain(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def rand(*shape, low=-1.0, high=1.0):
    return torch.empty(shape).uniform_(low, high)


def ints(low, high, *shape):
    return torch.randint(low, high, shape)


def case(name, module, *inputs, target=None, flexible=None):
    """A model of `module`, a module or a function, on `inputs`, for `target` or a drawn one. `flexible` gives axes of the
    first input that may be from 1 to 64 long."""
    if not isinstance(module, torch.nn.Module):
        module = Plain(module)
    module.eval()
    with torch.no_grad():
        answers = module(*inputs)
        traced = torch.jit.trace(module, inputs, check_trace=False)
    shapes = [list(x.shape) for x in inputs]
    for axis in flexible or []:
        shapes[0][axis] = ct.RangeDim(1, 64, default=shapes[0][axis])
    arrays = [x.numpy() if x.is_floating_point() else x.numpy().astype(np.int32) for x in inputs]
    types = [
        ct.TensorType(name=f"x{place}", shape=shape, dtype=array.dtype)
        for place, (shape, array) in enumerate(zip(shapes, arrays))
    ]
    model = ct.convert(
        traced, inputs=types, convert_to="mlprogram", minimum_deployment_target=target or draw.choice(TARGETS),
        compute_precision=ct.precision.FLOAT32, skip_model_load=True,
    )
    save(name, file_model(model), arrays, [answer.numpy() for answer in flat(answers)])

"""Recurrent layers with what they may have besides: peepholes, lengths, bounds, other activations, no bias or state."""
import numpy as np
import torch

from gradient_cases import case, integer, pick, variable
from recurrent import GATES

FUNCTIONS = {"Sigmoid": torch.sigmoid, "Tanh": torch.tanh, "Relu": torch.relu,
             "HardSigmoid": lambda x: torch.clip(0.2 * x + 0.5, 0, 1)}


class Layer:
    """One direction of a layer. `weights` are w, r, b and the peepholes, of which the last two may be None."""

    def __init__(self, kind, functions, bound):
        self.kind, self.bound, self.after = kind, bound, pick(0, 1)
        self.functions = [FUNCTIONS[name] for name in functions]

    def act(self, place, x):
        return self.functions[place](x if self.bound is None else x.clamp(-self.bound, self.bound))

    def step(self, x, states, w, r, b, peepholes):
        """The states after a step, of gates that are each a product of their own."""
        h = states[0]
        gates, size = GATES[self.kind], h.shape[-1]
        b = torch.zeros(2 * gates * size, dtype=x.dtype) if b is None else b
        ws, rs, bs = w.split(size), r.split(size), b.split(size)
        seen = [x @ ws[k].T + bs[k] for k in range(gates)]
        kept = [h @ rs[k].T + bs[gates + k] for k in range(gates)]
        if self.kind == "RNN":
            return [self.act(0, seen[0] + kept[0])]
        if self.kind == "GRU":
            z, reset = self.act(0, seen[0] + kept[0]), self.act(0, seen[1] + kept[1])
            inner = reset * kept[2] if self.after else (reset * h) @ rs[2].T + bs[5]
            return [(1 - z) * self.act(1, seen[2] + inner) + z * h]
        looks = [0, 0, 0] if peepholes is None else peepholes.split(size)
        c = states[1]
        i, f = (self.act(0, seen[k] + kept[k] + looks[look] * c) for k, look in ((0, 0), (2, 2)))
        c = f * c + i * self.act(1, seen[3] + kept[3])
        return [self.act(0, seen[1] + kept[1] + looks[1] * c) * self.act(2, c), c]

    def run(self, x, states, lengths, backwards, *weights):
        """Each row of the batch by itself, as long as it is; what is behind its end is 0."""
        rows = []
        for row in range(x.shape[1]):
            own, ys = [state[row:row + 1] for state in states], [torch.zeros_like(states[0][:1])] * x.shape[0]
            steps = range(x.shape[0] if lengths is None else int(lengths[row]))
            for step in reversed(steps) if backwards else steps:
                own = self.step(x[step, row:row + 1], own, *weights)
                ys[step] = own[0]
            rows.append((torch.stack(ys), *own))
        return [torch.cat(parts, 1 if place == 0 else 0) for place, parts in enumerate(zip(*rows))]


for number in range(24):
    kind = ("LSTM", "GRU", "RNN")[number % 3]
    direction = ("forward", "reverse", "bidirectional")[number // 3 % 3]
    count = 2 if direction == "bidirectional" else 1
    length, batch, width, size = integer(2, 4), integer(1, 3), integer(1, 3), integer(1, 3)
    gates = GATES[kind]
    usual = {"LSTM": [pick("Sigmoid", "HardSigmoid"), "Tanh", pick("Tanh", "Sigmoid")],
             "GRU": ["Sigmoid", pick("Tanh", "Sigmoid")], "RNN": [pick("Tanh", "Sigmoid", "Relu")]}[kind]
    layer = Layer(kind, usual, pick(None, 0.9))
    bias = variable([count, 2 * gates * size], -1, 1) if integer(0, 1) else None
    lengths = np.array([length, *(integer(1, length) for _ in range(batch - 1))], np.int32) if integer(0, 1) else None
    state = [variable([count, batch, size], -1, 1) if integer(0, 1) else None]
    extra = []
    if kind == "LSTM":
        extra = [variable([count, batch, size], -1, 1) if state[0] else None, variable([count, 3 * size], -1, 1)]

    def answer(x, w, r, b, lengths, h, c=None, peepholes=None):
        zeros = torch.zeros(count, batch, size, dtype=x.dtype)
        sides = []
        for side in range(count):
            states = [zeros[side] if given is None else given[side] for given in (h, c)]
            parts = [None if part is None else part[side] for part in (w, r, b, peepholes)]
            backwards = direction == "reverse" or side == 1
            sides.append(layer.run(x, states[:2 if kind == "LSTM" else 1], lengths, backwards, *parts))
        return [torch.stack(parts, 1 if place == 0 else 0) for place, parts in enumerate(zip(*sides))]

    options = {"activations": usual * count, "hidden_size": size, "direction": direction}
    options |= {} if layer.bound is None else {"clip": layer.bound}
    options |= {"linear_before_reset": layer.after} if kind == "GRU" else {}
    case(f"{kind}.forms", kind, answer,
         [variable([length, batch, width]), variable([count, gates * size, width], -1, 1),
          variable([count, gates * size, size], -1, 1), bias, lengths, *state, *extra],
         count=3 if kind == "LSTM" else 2, **options)

"""LSTM, GRU and RNN of ONNX, written out step by step."""
import torch

from gradient_cases import case, integer, pick, variable

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


def lstm(x, w, r, b, h, c):
    size = h.shape[-1]
    parts = (x @ w.T + h @ r.T + b[:4 * size] + b[4 * size:]).split(size, -1)
    i, o, f = (torch.sigmoid(part) for part in parts[:3])
    c = f * c + i * torch.tanh(parts[3])
    return o * torch.tanh(c), c


def gru(x, w, r, b, h, resets_first):
    size = h.shape[-1]
    wz, wr, wh = (x @ w.T + b[:3 * size]).split(size, -1)
    rz, rr, rh = r.split(size)
    bz, br, bh = b[3 * size:].split(size)
    z, reset = torch.sigmoid(wz + h @ rz.T + bz), torch.sigmoid(wr + h @ rr.T + br)
    inner = (reset * h) @ rh.T + bh if resets_first else reset * (h @ rh.T + bh)
    return (1 - z) * torch.tanh(wh + inner) + z * h


def rnn(x, w, r, b, h):
    size = h.shape[-1]
    return torch.tanh(x @ w.T + h @ r.T + b[:size] + b[size:])


def played(kind, x, w, r, b, h0, c0, backwards, resets_first):
    ys, hs, cs = [], [], []
    for direction in range(w.shape[0]):
        h, c = h0[direction], None if c0 is None else c0[direction]
        steps = range(x.shape[0])
        rows = {}
        for step in reversed(steps) if backwards[direction] else steps:
            given = (x[step], w[direction], r[direction], b[direction], h)
            if kind == "LSTM":
                h, c = lstm(*given, c)
            else:
                h = gru(*given, resets_first) if kind == "GRU" else rnn(*given)
            rows[step] = h
        ys.append(torch.stack([rows[step] for step in steps]))
        hs.append(h)
        cs.append(c)
    result = [torch.stack(ys, 1), torch.stack(hs)]
    return result + [torch.stack(cs)] if kind == "LSTM" else result


for kind, gates in GATES.items():
    for direction in ("forward", "reverse", "bidirectional"):
        length, batch, width, size = integer(1, 4), integer(1, 2), integer(1, 4), integer(1, 4)
        count = 2 if direction == "bidirectional" else 1
        backwards = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[direction]
        resets_first = pick(0, 1) == 0
        inputs = [variable([length, batch, width]), variable([count, gates * size, width], -1, 1),
                  variable([count, gates * size, size], -1, 1), variable([count, 2 * gates * size], -1, 1), None,
                  variable([count, batch, size], -1, 1)]
        options = {"hidden_size": size, "direction": direction}
        if kind == "LSTM":
            inputs.append(variable([count, batch, size], -1, 1))
        if kind == "GRU":
            options["linear_before_reset"] = int(not resets_first)

        def answer(x, w, r, b, _, h, c=None):
            return played(kind, x, w, r, b, h, c, backwards, resets_first)

        case(f"{kind}.{direction}", kind, answer, inputs, count=3 if kind == "LSTM" else 2, **options)

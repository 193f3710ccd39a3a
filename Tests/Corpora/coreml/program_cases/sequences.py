"""Recurrent layers and attention."""

import numpy as np
from coremltools.converters.mil.mil import Builder as mb

from programs import case, iOS17, iOS18, rand


def logistic(x):
    return 1 / (1 + np.exp(-x))


def gru(x, h, wx, wh, bias=0, reset_after=False, output_bias=0):
    outputs = []
    for step in x:
        a, w = step @ wx.T + bias, h @ wh.T
        r, o, z = [np.split(part, 3, -1) for part in (a, w)] and [None] * 3
        (ar, ao, az), (wr, wo, wz) = np.split(a, 3, -1), np.split(w, 3, -1)
        r, z = logistic(ar + wr), logistic(az + wz)
        inner = r * (wo + output_bias) if reset_after else (r * h) @ np.split(wh, 3)[1].T
        h = (1 - z) * np.tanh(ao + inner) + z * h
        outputs.append(h)
    return np.stack(outputs), h


x, h = rand(4, 2, 3), rand(2, 5)
wx, wh, wb, wi = rand(15, 3), rand(15, 5), rand(15), rand(15)
case("gru", [x, h], lambda x, h: mb.gru(x=x, initial_h=h, weight_ih=wx, weight_hh=wh, bias=wb, output_sequence=True), (
    lambda x, h: gru(x, h, wx, wh, wb)))
case("gru_input_bias", [x, h], lambda x, h: mb.gru(
    x=x, initial_h=h, weight_ih=wx, weight_hh=wh, bias=wb, input_bias=wi, output_sequence=True), (
    lambda x, h: gru(x, h, wx, wh, wb + wi)), iOS18)
case("gru_reset_after", [x, h], lambda x, h: mb.gru(
    x=x, initial_h=h, weight_ih=wx, weight_hh=wh, bias=wb, input_bias=wi, reset_after=True, output_sequence=True), (
    lambda x, h: gru(x, h, wx, wh, wi + np.concatenate([wb[:5], 0 * wb[5:10], wb[10:]]), True, wb[5:10])), iOS18)


def lstm(x, h, c, wx, wh, bias, peephole=0 * np.ones(15)):
    outputs = []
    p = np.split(peephole, 3)
    for step in x:
        i, f, o, z = np.split(step @ wx.T + h @ wh.T + bias, 4, -1)
        i, f = logistic(i + p[0] * c), logistic(f + p[1] * c)
        c = f * c + i * np.tanh(z)
        h = logistic(o + p[2] * c) * np.tanh(c)
        outputs.append(h)
    return np.stack(outputs), h, c


c = rand(2, 5)
lx, lh, lb, lp = rand(20, 3), rand(20, 5), rand(20), rand(15)
for name, options in {"plain": {}, "peephole": dict(peephole=lp)}.items():
    case(f"lstm_{name}", [x, h, c], lambda x, h, c: mb.lstm(
        x=x, initial_h=h, initial_c=c, weight_ih=lx, weight_hh=lh, bias=lb, output_sequence=True, **options), (
        lambda x, h, c: lstm(x, h, c, lx, lh, lb, **options)))
bx, bh, bb = rand(20, 3), rand(20, 5), rand(20)


def both(x, h, c):
    forth, back = lstm(x, h[:, :5], c[:, :5], lx, lh, lb), lstm(x[::-1], h[:, 5:], c[:, 5:], bx, bh, bb)
    return (np.concatenate([forth[0], back[0][::-1]], -1), np.concatenate([forth[1], back[1]], -1),
            np.concatenate([forth[2], back[2]], -1))


case("lstm_bidirectional", [x, rand(2, 10), rand(2, 10)], lambda x, h, c: mb.lstm(
    x=x, initial_h=h, initial_c=c, weight_ih=lx, weight_hh=lh, bias=lb, weight_ih_back=bx, weight_hh_back=bh, bias_back=bb,
    direction="bidirectional", output_sequence=True), both, iOS17)
rx, rh, rb = rand(5, 3), rand(5, 5), rand(5)


def rnn(x, h):
    for step in x:
        h = np.maximum(step @ rx.T + h @ rh.T + rb, 0)
    return h[None], h


case("rnn", [x, h], lambda x, h: mb.rnn(x=x, initial_h=h, weight_ih=rx, weight_hh=rh, bias=rb, activation="relu"), rnn)

def attention(q, k, v, mask=0):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) + mask
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


q, k, v = rand(2, 3, 4, 8), rand(2, 3, 5, 8), rand(2, 3, 5, 6)
case("attention", [q, k, v], lambda q, k, v: mb.scaled_dot_product_attention(query=q, key=k, value=v), attention, iOS18)
case("attention_mask", [q, k, v, rand(4, 5)], lambda q, k, v, m: mb.scaled_dot_product_attention(
    query=q, key=k, value=v, attn_mask=m), attention, iOS18)

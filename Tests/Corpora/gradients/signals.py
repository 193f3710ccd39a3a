"""Further functions of elements, matrices and signals."""
import numpy as np
import torch
import torch.nn.functional as F

from elementwise import broadcast
from gradient_cases import Variable, case, integer, pick, reals, shape, variable

for op, answer in {"Ceil": torch.ceil, "Round": torch.round}.items():
    for _ in range(2):
        case(op, op, answer, [variable(shape(), -3, 3)])
for _ in range(4):
    alpha = pick(1.0, 0.5, 1.7)
    case("Swish", "Swish", lambda x: x * torch.sigmoid(alpha * x), [variable(shape(), -3, 3)], opset=24, alpha=alpha)
    extents = shape()
    case("SwiGLU", "SwiGLU", lambda x, y: x * torch.sigmoid(alpha * x) * y,
         [variable(extents, -3, 3), variable(extents)], opset=28, alpha=alpha)
    bias = pick(0.0, 0.5)
    case("Shrink", "Shrink", lambda x: F.hardshrink(x, 0.5) - bias * torch.sign(F.hardshrink(x, 0.5)),
         [variable(shape())], lambd=0.5, bias=bias)
    case("Mod", "Mod", torch.fmod, [variable(broadcast(1)[0], -3, 3), variable([1], 0.7, 0.9)], fmod=1)
    case("Clip.bounds", "Clip", torch.clip, [variable(shape()), variable([], -1, -0.5), variable([], 0.5, 1)])
    case("Dropout", "Dropout", lambda x: x * 1, [variable(shape())])
    three = broadcast(3)
    for op, choose in {"Max": torch.maximum, "Min": torch.minimum}.items():
        case(f"{op}.three", op, lambda a, b, c: choose(choose(a, b), c), [variable(extents) for extents in three])
    extents = shape(2, 4)
    axis = integer(0, len(extents) - 1)
    along = [-1 if place == axis else 1 for place in range(len(extents))]
    stored = np.array([integer(-128, 127) for _ in range(int(np.prod(extents)))], np.int8).reshape(extents)
    zeros = np.array([integer(-9, 9) for _ in range(extents[axis])], np.int8)
    case("DequantizeLinear", "DequantizeLinear",
         lambda q, scale, zero: (q.int() - zero.view(along).int()) * scale.view(along),
         [stored, variable([extents[axis]], 0.1, 1), zeros], axis=axis)
    for op, joined in {"Softmax": F.softmax, "LogSoftmax": F.log_softmax}.items():
        case(f"{op}.joined", op, lambda x: joined(x.flatten(axis), axis).view(x.shape), [variable(extents, -3, 3)],
             opset=11, axis=axis)
    for op, mean in {"ReduceSum": torch.sum, "ReduceMean": torch.mean}.items():
        case(f"{op}.all", op, lambda x: mean(x), [variable(extents)], keepdims=0)
    width, whole = integer(1, 3), integer(2, 7)
    parts = -(-whole // width)
    case("Split.equal", "Split", lambda x: x.split(-(-whole // parts), 1), [variable([integer(1, 2), whole])],
         count=len(range(0, whole, -(-whole // parts))), axis=1, num_outputs=len(range(0, whole, -(-whole // parts))))

for equation, forms in {"...ij,...jk->...ik": [[2, 1, 3, 4], [2, 3, 4, 2]], "ii->i": [[4, 4]], "bii->b": [[2, 3, 3]],
                        "i,j,k->kij": [[2], [3], [4]], "ab,bc,cd": [[2, 3], [3, 4], [4, 2]]}.items():
    case("Einsum.forms", "Einsum", lambda *terms: torch.einsum(equation, *terms), [variable(form) for form in forms],
         equation=equation)
for size in (1, 2, 3, 4):
    # Pivots stay apart.
    order = np.random.default_rng(size).permutation(size)
    matrices = reals([integer(1, 3), size, size], -1, 1) + 3 * np.eye(size)[order]
    case("Det", "Det", torch.linalg.det, [Variable(matrices)])


def planes(x):
    """The real and the imaginary parts on the last axis."""
    return torch.view_as_real(x.resolve_conj()) if x.is_complex() else x[..., None]


def numbers(x):
    return torch.view_as_complex(x.contiguous()) if x.shape[-1] == 2 else x[..., 0]


def framed(x, step, window, onesided):
    x = x.view(x.shape[:2]) if x.dim() == 2 or x.shape[2] == 1 else torch.view_as_complex(x)
    frames = x.unfold(1, window.shape[0], step) * window
    return planes(torch.fft.rfft(frames) if onesided else torch.fft.fft(frames))


for number in range(8):
    batch, length, inner = integer(1, 2), integer(2, 7), integer(1, 3)
    parts, used = pick(1, 2), pick(None, integer(2, 8))
    lengths = None if used is None else np.array(used)
    inverse = number % 2
    transform = torch.fft.ifft if inverse else torch.fft.fft
    case("DFT", "DFT", lambda x, *_: planes(transform(numbers(x), used, 1)),
         [variable([batch, length, inner, parts]), lengths, np.array(1)], inverse=inverse)
    case("DFT.onesided", "DFT", lambda x, *_: planes(torch.fft.rfft(x[..., 0], used, 1)),
         [variable([batch, length, inner, 1]), lengths, np.array(1)], onesided=1)
    size, step = integer(2, 5), integer(1, 3)
    signal = [batch, size + integer(0, 6), parts]
    onesided = int(parts == 1 and integer(0, 1))
    case("STFT", "STFT", lambda x, _, window: framed(x, step, window, onesided),
         [variable(signal), np.array(step), variable([size], 0.2, 1)], onesided=onesided)
    channels, width = integer(1, 3), integer(1, 3)
    activation = pick("none", "silu")

    def causal(x, w, b, past):
        whole = torch.cat([past, x], 2)
        y = F.conv1d(whole, w, b, groups=channels)
        return [F.silu(y) if activation == "silu" else y, whole[:, :, whole.shape[2] - width:]]

    case("CausalConvWithState", "CausalConvWithState", causal,
         [variable([batch, channels, length]), variable([channels, 1, width + 1]), variable([channels]),
          variable([batch, channels, width])], count=2, opset=27, activation=activation)

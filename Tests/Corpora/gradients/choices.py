"""What chooses elements: the largest, those of a condition, those of targets."""
import numpy as np
import torch
import torch.nn.functional as F

from gradient_cases import Variable, case, integer, pick, random, reals, shape, variable


def apart(extents):
    """A variable without near elements, of which none could take another's place."""
    count = int(np.prod(extents))
    return Variable((random.permutation(count).reshape(extents) - count / 2) / 4)


def indices(extents, bound):
    return np.array([integer(0, bound - 1) for _ in range(int(np.prod(extents)))]).reshape(extents)


for _ in range(8):
    extents = shape(1, 4)
    axis = integer(0, len(extents) - 1)
    k, largest = integer(1, extents[axis]), integer(0, 1)
    case("TopK", "TopK", lambda x, _: torch.topk(x, k, axis, bool(largest)).values, [apart(extents), np.array([k])],
         unseen=1, axis=pick(axis, axis - len(extents)), largest=largest)
for _ in range(4):
    extents = shape(2, 4)
    axis = integer(0, len(extents) - 1)
    kept = reals([extents[axis]]) > 0
    kept[integer(0, len(kept) - 1)] = True
    case("Compress", "Compress", lambda x, mask: x.index_select(axis, mask.nonzero()[:, 0]), [variable(extents), kept],
         axis=axis)
    flat = reals([int(np.prod(extents))]) > -1
    case("Compress.flat", "Compress", lambda x, mask: x.flatten()[mask], [variable(extents), flat])
    case("Hardmax", "Hardmax", lambda x: F.one_hot(x.argmax(axis), extents[axis]).movedim(-1, axis) + 0 * x,
         [apart(extents)], axis=axis)
    case("Gather.table", "Gather",
         lambda x, i: x.index_select(axis, i.flatten()).unflatten(axis, i.shape),
         [variable(extents), indices([integer(1, 3), integer(1, 3)], extents[axis])], axis=axis)
    lengths = np.array([integer(1, extents[1]) for _ in range(extents[0])])

    def reversed_rows(x, lengths):
        rows = [torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist())]
        return torch.stack(rows)

    case("ReverseSequence", "ReverseSequence", reversed_rows, [variable(extents), lengths], batch_axis=0, time_axis=1)
    turned = [extents[1], extents[0], *extents[2:]]
    case("ReverseSequence.time", "ReverseSequence",
         lambda x, n: reversed_rows(x.transpose(0, 1), n).transpose(0, 1), [variable(turned), lengths], batch_axis=1,
         time_axis=0)
    rows, width = integer(2, 5), integer(1, 3)
    places = random.permutation(rows)[:integer(1, rows)][:, None]
    case("ScatterND", "ScatterND", lambda x, i, u: x.index_copy(0, i[:, 0], u),
         [variable([rows, width]), places, variable([len(places), width])])
    depth = integer(2, 5)
    case("OneHot", "OneHot",
         lambda i, _, values: torch.where(F.one_hot(i, depth).movedim(-1, axis) > 0, values[1], values[0]),
         [indices(extents, depth), np.array(depth), variable([2])], axis=axis)
    batch, heads, length, written = integer(1, 3), integer(1, 2), integer(2, 5), integer(1, 2)
    circular = integer(0, 1)
    starts = indices([batch], length if circular else length - written + 1)

    def written_into(cache, update, starts):
        spots = (starts[:, None] + torch.arange(written)) % length
        return cache.scatter(2, spots[:, None, :, None].expand_as(update), update)

    case("TensorScatter", "TensorScatter", written_into,
         [variable([batch, heads, length, width]), variable([batch, heads, written, width]), starts], opset=24,
         mode="circular" if circular else "linear")

for number in range(9):
    batch, classes = integer(1, 4), integer(2, 5)
    spatial = [integer(1, 3) for _ in range(number % 3)]
    targets = indices([batch, *spatial], classes)
    reduction = ("mean", "sum", "none")[number // 3]
    ignored = int(targets.flat[0]) if targets.size > 1 and len(set(targets.flat)) > 1 and integer(0, 1) else None
    options = {"reduction": reduction} | ({} if ignored is None else {"ignore_index": ignored})
    words = {"reduction": reduction, "ignore_index": -100 if ignored is None else ignored}
    weights = [reals([classes], 0.5, 2)] if integer(0, 1) else []
    case("NegativeLogLikelihoodLoss", "NegativeLogLikelihoodLoss",
         lambda x, t, w=None: F.nll_loss(x, t, w, **words), [variable([batch, classes, *spatial]), targets, *weights],
         **options)
    case("SoftmaxCrossEntropyLoss", "SoftmaxCrossEntropyLoss",
         lambda x, t, w=None: [F.cross_entropy(x, t, w, **words), F.log_softmax(x, 1)],
         [variable([batch, classes, *spatial]), targets, *weights], count=2, **options)

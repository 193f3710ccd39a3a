"""What moves elements: slices, gathers, scatters, transposes."""
import numpy as np
import torch

from gradient_cases import case, integer, pick, reals, shape, variable


def places(extents, axis, count):
    bound = extents[axis]
    return np.array([integer(-bound, bound - 1) for _ in range(count)])


for _ in range(4):
    extents = shape(1, 4)
    rank = len(extents)
    order = np.random.default_rng(integer(0, 1 << 20)).permutation(rank).tolist()
    case("Transpose", "Transpose", lambda x: x.permute(order), [variable(extents)], perm=order)
    case("Reshape", "Reshape", lambda x, to: x.reshape(to.tolist()), [variable(extents), np.array([-1, 1])])
    axis = integer(0, rank)
    flat = (int(np.prod(extents[:axis])), int(np.prod(extents[axis:])))
    case("Flatten", "Flatten", lambda x: x.reshape(flat), [variable(extents)], axis=axis)
    case("Unsqueeze", "Unsqueeze", lambda x, _: x.unsqueeze(axis), [variable(extents), np.array([axis])])
    case("Squeeze", "Squeeze", lambda x, _: x.squeeze(axis),
         [variable(extents[:axis] + [1] + extents[axis:]), np.array([axis])])
    axis = integer(0, rank - 1)
    step = pick(1, 2, -1, -2)
    begin, end = (0, extents[axis]) if step > 0 else (-1, -1 - extents[axis])
    chosen = list(range(extents[axis]))[::step]
    case("Slice", "Slice", lambda x, *_: x.index_select(axis, torch.tensor(chosen)),
         [variable(extents), np.array([begin]), np.array([end]), np.array([axis]), np.array([step])])
    other = [integer(1, 4) if place == axis else extent for place, extent in enumerate(extents)]
    case("Concat", "Concat", lambda a, b: torch.cat([a, b], axis), [variable(extents), variable(other)], axis=axis)
    both = [integer(1, 3), integer(1, 3)]
    whole = [sum(both) if place == axis else extent for place, extent in enumerate(extents)]
    case("Split", "Split", lambda x, _: torch.split(x, both, axis), [variable(whole), np.array(both)], count=2, axis=axis)
    repeats = [integer(1, 3) for _ in extents]
    case("Tile", "Tile", lambda x, _: x.repeat(repeats), [variable(extents), np.array(repeats)])
    wide = [integer(1, 3)] + [integer(2, 3) if extent == 1 else extent for extent in extents]
    case("Expand", "Expand", lambda x, _: x.expand(wide), [variable(extents), np.array(wide)])
    # A row may be gathered more than once: gradients add.
    index = places(extents, axis, integer(1, 5))
    case("Gather", "Gather", lambda x, i: x.index_select(axis, i % extents[axis]), [variable(extents), index], axis=axis)
    along = [integer(1, 4) if place == axis else integer(1, extent) for place, extent in enumerate(extents)]
    index = places(extents, axis, int(np.prod(along))).reshape(along)
    case("GatherElements", "GatherElements", lambda x, i: torch.gather(x, axis, i % extents[axis]),
         [variable(extents), index], axis=axis)
    distinct = np.random.default_rng(integer(0, 1 << 20)).permutation(extents[axis])[:integer(1, extents[axis])]
    form = [1] * rank
    form[axis] = len(distinct)
    spread = np.broadcast_to(distinct.reshape(form), [*extents[:axis], len(distinct), *extents[axis + 1:]]).copy()
    case("ScatterElements", "ScatterElements", lambda x, i, u: x.scatter(axis, i, u),
         [variable(extents), spread, variable(list(spread.shape))], axis=axis)
    case("ScatterElements.add", "ScatterElements", lambda x, i, u: x.scatter_add(axis, i % extents[axis], u),
         [variable(extents), index if all(a <= b for a, b in zip(along, extents)) else spread,
          variable(along if all(a <= b for a, b in zip(along, extents)) else list(spread.shape))],
         axis=axis, reduction="add")

for _ in range(3):
    extents = [integer(2, 4), integer(2, 4), integer(1, 3)]
    count, width = integer(1, 4), integer(1, 3)
    index = np.stack([places(extents, axis, count) for axis in range(width)], 1)
    take = lambda x, i: x[tuple((i[:, axis] % extents[axis]) for axis in range(width))]
    case("GatherND", "GatherND", take, [variable(extents), index])
    updates = [count, *extents[width:]]
    case("ScatterND.add", "ScatterND",
         lambda x, i, u: x.index_put(tuple(i[:, axis] % extents[axis] for axis in range(width)), u, accumulate=True),
         [variable(extents), index, variable(updates)], reduction="add")
    block = pick(2, 3)
    n, c, h, w = integer(1, 2), integer(1, 2), integer(1, 3), integer(1, 3)
    case("DepthToSpace", "DepthToSpace",
         lambda x: x.reshape(n, block, block, c, h, w).permute(0, 3, 4, 1, 5, 2).reshape(n, c, h * block, w * block),
         [variable([n, c * block * block, h, w])], blocksize=block)
    case("DepthToSpace.CRD", "DepthToSpace", lambda x: torch.nn.functional.pixel_shuffle(x, block),
         [variable([n, c * block * block, h, w])], blocksize=block, mode="CRD")
    case("SpaceToDepth", "SpaceToDepth",
         lambda x: x.reshape(n, c, h, block, w, block).permute(0, 3, 5, 1, 2, 4).reshape(n, c * block * block, h, w),
         [variable([n, c, h * block, w * block])], blocksize=block)
    k = integer(-1, 2)
    upper = integer(0, 1)
    case("Trilu", "Trilu", lambda x, k: torch.triu(x, k.item()) if upper else torch.tril(x, k.item()),
         [variable([2, integer(2, 4), integer(2, 4)]), np.array(k)], upper=upper)
assert reals([1]).shape == (1,)

"""Operators that move elements."""

import numpy as np
from coremltools.converters.mil.mil import Builder as mb

from programs import case, ints, iOS16, iOS17, iOS18, rand
from reference import ort


x = rand(2, 3, 4)
case("transpose", [x], lambda x: mb.transpose(x=x, perm=[2, 0, 1]), None)
case("reshape", [x], lambda x: mb.reshape(x=x, shape=[4, -1]), None)
case("reshape_zero", [x], lambda x: mb.reshape(x=x, shape=[0, 4, -1]), lambda x: x.reshape(2, 4, 3), iOS16)
case("expand_dims", [x], lambda x: mb.expand_dims(x=x, axes=[0, -1]), None, iOS16)
case("squeeze", [rand(1, 3, 1)], lambda x: mb.squeeze(x=x, axes=[0]), None, iOS17)
case("squeeze_all", [rand(1, 3, 1)], lambda x: mb.squeeze(x=x), lambda x: x.reshape(3))
case("flatten2d", [x], lambda x: mb.flatten2d(x=x, axis=-1), None)
case("flatten2d_default", [x], lambda x: mb.flatten2d(x=x), None, iOS18)
case("reverse", [x], lambda x: mb.reverse(x=x, axes=[0, 2]), None)
case("reverse_all", [x], lambda x: mb.reverse(x=x), None, iOS17)
case("shape", [x], lambda x: mb.shape(x=x), lambda x: np.array(x.shape))
case("tile", [x], lambda x: mb.tile(x=x, reps=[2, 1, 3]), None)
case("stack", [x, rand(2, 3, 4)], lambda x, y: mb.stack(values=[x, y], axis=1), lambda x, y: np.stack([x, y], 1))
case("concat", [x, rand(2, 1, 4)], lambda x, y: mb.concat(values=[x, y], axis=-2), lambda x, y: np.concatenate([x, y], 1))
case("concat_interleave", [x, rand(2, 3, 4)], lambda x, y: mb.concat(values=[x, y], axis=1, interleave=True), (
    lambda x, y: np.stack([x, y], 2).reshape(2, 6, 4)), iOS17)
case("split", [x], lambda x: mb.split(x=x, num_splits=2, axis=2), lambda x: np.split(x, 2, 2))
case("split_sizes", [x], lambda x: mb.split(x=x, split_sizes=[1, 2], axis=1), lambda x: np.split(x, [1], 1), iOS17)
case("slice_by_index", [x], lambda x: mb.slice_by_index(
    x=x, begin=[0, 2, -1], end=[1, 0, 0], stride=[1, -1, -2], end_mask=[True, False, True]), None)
case("slice_by_index_squeeze", [x], lambda x: mb.slice_by_index(
    x=x, begin=[1, 0, 1], end=[0, 3, 3], squeeze_mask=[True, False, False], begin_mask=[False, True, False]), None, iOS17)
case("slice_by_size", [x], lambda x: mb.slice_by_size(x=x, begin=[0, 1, 1], size=[2, -1, 2]), None)
case("slice_by_size_negative", [x], lambda x: mb.slice_by_size(x=x, begin=[0, -2, 1], size=[1, 2, 1]), lambda x: (
    x[:1, 1:3, 1:2]), iOS17)
case("slice_by_size_computed", [x, np.array([1, 0, 2], np.int32)], lambda x, begin: mb.slice_by_size(
    x=x, begin=begin, size=[1, 2, -1]), lambda x, begin: x[1:2, :2, 2:], iOS16)
case("slice_update", [x, rand(2, 2, 2)], lambda x, y: mb.slice_update(
    x=x, update=y, begin=[0, 0, 1], end=[2, 3, 4], stride=[1, 2, 2]), None, iOS18)
case("slice_update_squeeze", [x, rand(3, 2)], lambda x, y: mb.slice_update(
    x=x, update=y, begin=[1, 0, 0], end=[0, 0, 2], squeeze_mask=[True, False, False], end_mask=[False, True, False]), (
    lambda x, y: np.concatenate([x[:1], np.concatenate([y[None], x[1:, :, 2:]], 2)])), iOS18)
case("reshape_like", [rand(2, 3, 4), rand(4, 6), rand(1, 4)], lambda x, y, z: mb.reshape_like(
    x=x, ref_tensors=(y, z), begins=(1, 1), ends=(2, 0), end_masks=(False, True)), lambda x, y, z: x.reshape(6, 4), iOS16)
case("sliding_windows", [rand(2, 7, 3)], lambda x: mb.sliding_windows(x=x, axis=1, size=3, stride=2), lambda x: (
    np.stack([x[:, i:i + 3] for i in (0, 2, 4)], 1)))
case("sliding_windows_default", [ints(0, 9, 5)], lambda x: mb.sliding_windows(x=x, axis=-1, size=2), lambda x: (
    np.stack([x[i:i + 2] for i in range(4)])), iOS17)


def reversed_sequences(x, lengths, time, batch):
    y = x.copy()
    for index, length in enumerate(lengths):
        lines, old = np.moveaxis(y, [batch, time], [0, 1]), np.moveaxis(x, [batch, time], [0, 1])
        lines[index, :length] = old[index, :length][::-1]
    return y


case("reverse_sequence", [rand(3, 4, 2)], lambda x: mb.reverse_sequence(
    x=x, lengths=[2, 0, 4], seq_axis=1, batch_axis=0), lambda x: reversed_sequences(x, [2, 0, 4], 1, 0))
case("reverse_sequence_last", [rand(2, 3, 4), np.array([1, 4, 3], np.int32)], lambda x, n: mb.reverse_sequence(
    x=x, lengths=n, seq_axis=2, batch_axis=1), lambda x, n: reversed_sequences(x, n, 2, 1), iOS17)
x = rand(2, 3, 4, 6)
case("space_to_batch", [x], lambda x: mb.space_to_batch(x=x, block_shape=[2, 3], paddings=[[1, 1], [0, 0]]), lambda x: (
    np.pad(x, [(0, 0), (0, 0), (1, 1), (0, 0)]).reshape(2, 3, 3, 2, 2, 3).transpose(3, 5, 0, 1, 2, 4).reshape(12, 3, 3, 2)))
case("batch_to_space", [rand(12, 3, 3, 2)], lambda x: mb.batch_to_space(x=x, block_shape=[2, 3], crops=[[1, 0], [0, 2]]), (
    lambda x: x.reshape(2, 3, 2, 3, 3, 2).transpose(2, 3, 4, 0, 5, 1).reshape(2, 3, 6, 6)[:, :, 1:, :4]))
case("space_to_depth", [x], lambda x: mb.space_to_depth(x=x, block_size=2), lambda x: ort("SpaceToDepth", x, blocksize=2))
case("depth_to_space", [rand(1, 8, 2, 3)], lambda x: mb.depth_to_space(x=x, block_size=2), (
    lambda x: ort("DepthToSpace", x, blocksize=2)))
case("pixel_shuffle", [rand(1, 8, 2, 3)], lambda x: mb.pixel_shuffle(x=x, upscale_factor=2), (
    lambda x: ort("DepthToSpace", x, blocksize=2, mode="CRD")))
case("pixel_unshuffle", [rand(1, 2, 4, 6)], lambda x: mb.pixel_unshuffle(x=x, downscale_factor=np.uint32(2)), lambda x: (
    x.reshape(1, 2, 2, 2, 3, 2).transpose(0, 1, 3, 5, 2, 4).reshape(1, 8, 2, 3)), iOS16)

import MLCCore
import MLCOps

extension OperatorCase {
  static let gathers: [OperatorCase] = [
    OperatorCase(
      "gather.rows",
      Gather(axis: 0),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [3], [1, 0, -1])]],
      expected: [Tensor([3, 3], floats: [4, 5, 6, 1, 2, 3, 4, 5, 6])]
    ),
    OperatorCase(
      "gather.scalar-index",
      Gather(axis: 1),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [], [2])]],
      expected: [Tensor([2], floats: [3, 6])],
      constants: ["indices"]
    ),
    OperatorCase(
      "gather.matrix-index",
      Gather(axis: 1),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int32, [1, 2], [0, 2])]],
      expected: [Tensor([2, 1, 2], floats: [1, 3, 4, 6])]
    ),
    OperatorCase(
      "gather.batch",
      batched,
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 1], [2, 0])]],
      expected: [Tensor([2, 1], floats: [3, 4])]
    ),
    OperatorCase(
      "gather_along_axis.columns",
      GatherAlongAxis(axis: 1),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 2], [2, 0, 1, -3])]],
      expected: [Tensor([2, 2], floats: [3, 1, 5, 4])]
    ),
    OperatorCase(
      "gather_nd.elements",
      GatherNd(),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 2], [0, 1, 1, -1])]],
      expected: [Tensor([2], floats: [2, 6])],
      constants: ["indices"]
    ),
    OperatorCase(
      "gather_nd.rows",
      GatherNd(),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 1], [1, 0])]],
      expected: [Tensor([2, 3], floats: [4, 5, 6, 1, 2, 3])],
      constants: ["indices"]
    ),
    OperatorCase(
      "gather_nd.batch",
      batchedND,
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 1], [2, 0])]],
      expected: [Tensor([2], floats: [3, 4])],
      constants: ["indices"]
    ),
    OperatorCase(
      "scatter_nd.update",
      ScatterNd(mode: .update),
      [
        [Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [1, 1], [1])],
        [Tensor([1, 3], floats: [7, 8, 9])],
      ],
      expected: [Tensor([2, 3], floats: [1, 2, 3, 7, 8, 9])],
      constants: ["indices"]
    ),
    OperatorCase(
      "scatter_nd.add-twice",
      ScatterNd(mode: .add),
      [[Tensor([3], floats: [1, 1, 1])], [Tensor(.int64, [3, 1], [0, 0, -1])], [Tensor([3], floats: [1, 2, 3])]],
      expected: [Tensor([3], floats: [4, 1, 4])],
      constants: ["indices"]
    ),
    OperatorCase(
      "scatter_nd.max",
      ScatterNd(mode: .max),
      [[Tensor(.int64, [2], [1, 5])], [Tensor(.int64, [2, 1], [0, 1])], [Tensor(.int64, [2], [3, 4])]],
      expected: [Tensor(.int64, [2], [3, 5])],
      constants: ["indices"]
    ),
    OperatorCase(
      "scatter_along_axis.update",
      ScatterAlongAxis(axis: 1, mode: .update),
      [
        [Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 1], [2, 0])],
        [Tensor([2, 1], floats: [9, 8])],
      ],
      expected: [Tensor([2, 3], floats: [1, 2, 9, 8, 5, 6])]
    ),
    OperatorCase(
      "scatter_along_axis.mul",
      ScatterAlongAxis(axis: 0, mode: .mul),
      [[Tensor([2], floats: [2, 3])], [Tensor(.int64, [2], [1, 1])], [Tensor([2], floats: [2, 4])]],
      expected: [Tensor([2], floats: [2, 24])]
    ),
    OperatorCase(
      "slice_by_index.middle",
      SliceByIndex(),
      [[Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [1])], [Tensor(.int64, [1], [4])]],
      expected: [Tensor([3], floats: [1, 2, 3])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.stride",
      SliceByIndex(),
      [
        [Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [0])], [Tensor(.int64, [1], [5])],
        [Tensor(.int64, [1], [2])],
      ],
      expected: [Tensor([3], floats: [0, 2, 4])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.negative-bounds",
      SliceByIndex(),
      [[Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [-3])], [Tensor(.int64, [1], [-1])]],
      expected: [Tensor([2], floats: [2, 3])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.clamped",
      SliceByIndex(),
      [
        [Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [-100])],
        [Tensor(.int64, [1], [9_223_372_036_854_775_807])],
      ],
      expected: [Tensor([5], floats: [0, 1, 2, 3, 4])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.reversed",
      SliceByIndex(),
      [
        [Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [2_147_483_647])],
        [Tensor(.int64, [1], [-9_223_372_036_854_775_808])], [Tensor(.int64, [1], [-1])],
      ],
      expected: [Tensor([5], floats: [4, 3, 2, 1, 0])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.reversed-by-two",
      SliceByIndex(),
      [
        [Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [-2])], [Tensor(.int64, [1], [0])],
        [Tensor(.int64, [1], [-2])],
      ],
      expected: [Tensor([2], floats: [3, 1])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.empty",
      SliceByIndex(),
      [[Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [4])], [Tensor(.int64, [1], [2])]],
      expected: [Tensor([0], floats: [])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.last-one",
      SliceByIndex(),
      [
        [Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [-1])],
        [Tensor(.int64, [1], [9_223_372_036_854_775_807])],
      ],
      expected: [Tensor([1], floats: [4])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.run-time",
      SliceByIndex(),
      [[Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int64, [1], [1])], [Tensor(.int64, [1], [3])]],
      expected: [Tensor([2], floats: [1, 2])],
      constants: ["stride"]
    ),
    OperatorCase(
      "slice_by_index.matrix",
      SliceByIndex(),
      [
        [Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2], [0, 1])], [Tensor(.int64, [2], [2, 3])],
        [Tensor(.int64, [2], [1, 1])],
      ],
      expected: [Tensor([2, 2], floats: [2, 3, 5, 6])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.masks",
      SliceByIndex(beginMask: [true, false], endMask: [true, false]),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2], [1, 1])], [Tensor(.int64, [2], [1, 2])]],
      expected: [Tensor([2, 1], floats: [2, 5])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "slice_by_index.squeeze",
      squeezed,
      [
        [Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2], [-1, 0])], [Tensor(.int64, [2], [0, 2])],
      ],
      expected: [Tensor([2], floats: [4, 5])],
      constants: ["begin", "end", "stride"]
    ),
    OperatorCase(
      "pad.constant",
      Pad(mode: "constant"),
      [[Tensor([2], floats: [1, 2])], [Tensor(.int64, [2], [1, 2])], [Tensor([], floats: [9.0])]],
      expected: [Tensor([5], floats: [9, 1, 2, 9, 9])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.zero-last-axis",
      Pad(mode: "constant"),
      [[Tensor([2, 1], floats: [1, 2])], [Tensor(.int64, [2], [0, 1])]],
      expected: [Tensor([2, 2], floats: [1, 0, 2, 0])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.negative",
      Pad(mode: "constant"),
      [[Tensor([3], floats: [1, 2, 3])], [Tensor(.int64, [2], [-1, 1])]],
      expected: [Tensor([3], floats: [2, 3, 0])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.reflect",
      Pad(mode: "reflect"),
      [[Tensor([3], floats: [1, 2, 3])], [Tensor(.int64, [2], [2, 2])]],
      expected: [Tensor([7], floats: [3, 2, 1, 2, 3, 2, 1])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.reflect-matrix",
      Pad(mode: "reflect"),
      [[Tensor([2, 2], floats: [1, 2, 3, 4])], [Tensor(.int64, [4], [1, 0, 0, 1])]],
      expected: [Tensor([3, 3], floats: [3, 4, 3, 1, 2, 1, 3, 4, 3])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.replicate",
      Pad(mode: "replicate"),
      [[Tensor([2], floats: [1, 2])], [Tensor(.int64, [2], [2, 1])]],
      expected: [Tensor([5], floats: [1, 1, 1, 2, 2])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.wrap",
      Pad(mode: "wrap"),
      [[Tensor([3], floats: [1, 2, 3])], [Tensor(.int64, [2], [1, 2])]],
      expected: [Tensor([6], floats: [3, 1, 2, 3, 1, 2])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.run-time",
      Pad(mode: "constant"),
      [[Tensor([1], floats: [1])], [Tensor(.int64, [2], [0, 1])]],
      expected: [Tensor([2], floats: [1, 0])]
    ),
  ]

  private static var batched: Gather {
    var op = Gather(axis: 1)
    op.batchDims = 1
    return op
  }

  private static var batchedND: GatherNd {
    var op = GatherNd()
    op.batchDims = 1
    return op
  }

  private static var squeezed: SliceByIndex {
    var op = SliceByIndex()
    op.squeezeMask = [true, false]
    return op
  }
}

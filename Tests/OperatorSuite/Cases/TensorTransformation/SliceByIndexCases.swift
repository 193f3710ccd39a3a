import MLCCore
import MLCOps

extension OperatorCase {
  static let sliceByIndexCases: [OperatorCase] = [
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
  ]

  private static var squeezed: SliceByIndex {
    var op = SliceByIndex()
    op.squeezeMask = [true, false]
    return op
  }
}

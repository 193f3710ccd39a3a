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
      "slice_by_index.run-time-stride",
      SliceByIndex(),
      [
        [Tensor([2, 5], floats: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])], [Tensor(.int64, [2], [0, -1])],
        [Tensor(.int64, [2], [9, -9])], [Tensor(.int64, [2], [1, -2])],
      ],
      expected: [Tensor([2, 3], floats: [4, 2, 0, 9, 7, 5])],
      constants: []
    ),
    OperatorCase(
      "slice_by_index.run-time-stride-beyond",
      SliceByIndex(),
      [
        [Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int32, [1], [1])], [Tensor(.int32, [1], [3])],
        [Tensor(.int32, [1], [7])],
      ],
      expected: [Tensor([1], floats: [1])],
      constants: ["begin", "end"]
    ),
    OperatorCase(
      "slice_by_index.run-time-stride-empty",
      SliceByIndex(),
      [
        [Tensor([5], floats: [0, 1, 2, 3, 4])], [Tensor(.int32, [1], [1])], [Tensor(.int32, [1], [3])],
        [Tensor(.int32, [1], [-1])],
      ],
      expected: [Tensor([0], floats: [])],
      constants: ["end"]
    ),
    OperatorCase(
      "slice_by_index.run-time-stride-masks",
      SliceByIndex(beginMask: [true, false, true], endMask: [true, true, false]),
      [
        [Tensor([2, 3, 2], floats: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])], [Tensor(.int64, [3], [5, 1, 7])],
        [Tensor(.int64, [3], [0, 0, 0])], [Tensor(.int64, [3], [-1, -1, -1])],
      ],
      expected: [Tensor([2, 2, 1], floats: [9, 7, 3, 1])],
      constants: ["begin"]
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

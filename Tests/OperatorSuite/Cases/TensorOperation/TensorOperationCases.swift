import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let tensorOperationCases: [OperatorCase] = [
    OperatorCase(
      "band_part.tridiagonal",
      BandPart(lower: 1, upper: 0),
      [[Tensor([3, 3], floats: [1, 2, 3, 4, 5, 6, 7, 8, 9])]],
      expected: [Tensor([3, 3], floats: [1, 0, 0, 4, 5, 0, 0, 8, 9])]
    ),
    OperatorCase(
      "broadcast_to.column",
      BroadcastTo(),
      [[Tensor([2, 1], floats: [1, 2])], [Tensor(.int64, [2], [2, 3])]],
      expected: [Tensor([2, 3], floats: [1, 1, 1, 2, 2, 2])],
      constants: ["shape"]
    ),
    OperatorCase(
      "broadcast_to.keeps",
      BroadcastTo(),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [3], [2, 1, 1])]],
      expected: [Tensor([2, 2, 3], floats: [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6])],
      constants: ["shape"]
    ),
    OperatorCase(
      "broadcast_to.run-time",
      BroadcastTo(),
      [[Tensor([1], floats: [7])], [Tensor(.int64, [1], [3])]],
      expected: [Tensor([3], floats: [7, 7, 7])]
    ),
    OperatorCase(
      "broadcast_to.run-time-known",
      BroadcastTo(),
      [[Tensor([2, 1], floats: [1, 2])], [Tensor(.int64, [3], [2, 1, 2])]],
      expected: [Tensor([2, 2, 2], floats: [1, 1, 2, 2, 1, 1, 2, 2])]
    ),
    OperatorCase(
      "concat.last",
      Concat(axis: -1),
      [[Tensor([2, 1], floats: [1, 2]), Tensor([2, 2], floats: [3, 4, 5, 6])]],
      expected: [Tensor([2, 3], floats: [1, 3, 4, 2, 5, 6])]
    ),
    OperatorCase(
      "concat.first-with-empty",
      Concat(axis: 0),
      [[Tensor([1, 2], floats: [1, 2]), Tensor([0, 2], floats: []), Tensor([1, 2], floats: [3, 4])]],
      expected: [Tensor([2, 2], floats: [1, 2, 3, 4])]
    ),
    OperatorCase(
      "concat.bool",
      Concat(axis: 0),
      [[Tensor(.bool, [1], [1]), Tensor(.bool, [1], [0])]],
      expected: [Tensor(.bool, [2], [1, 0])]
    ),
    OperatorCase(
      "cumprod.columns",
      cumprod(axis: 0),
      [[Tensor([3, 2], floats: [1, 2, -3, 0.5, 5, .infinity])]],
      expected: [Tensor([3, 2], floats: [1, 2, -3, 1, -15, .infinity])]
    ),
    OperatorCase(
      "cumprod.exclusive-reverse",
      cumprod(axis: -1, exclusive: true, reverse: true),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, .nan, -0.0])]],
      expected: [Tensor([2, 3], floats: [6, 3, 1, .nan, -0.0, 1])]
    ),
    OperatorCase(
      "cumprod.exclusive",
      cumprod(axis: 0, exclusive: true),
      [[Tensor(.float64, [3], [0.5, 3.0, 7.0])]],
      expected: [Tensor(.float64, [3], [1.0, 0.5, 1.5])]
    ),
    OperatorCase(
      "cumprod.half",
      cumprod(axis: 0),
      [[Tensor(.float16, [3], [300.0, 300.0, 0.01])]],
      expected: [Tensor(.float16, [3], [300.0, Double.infinity, 900.0])]
    ),
    OperatorCase("cumprod.nothing", cumprod(axis: 0), [[Tensor([0, 2], floats: [])]], expected: [nil]),
    integers("cumprod.wraps", cumprod(axis: 0), .int8, [100, 2, 3], [100, -56, 88]),
    OperatorCase(
      "cumsum.columns",
      cumsum(axis: 0),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([2, 3], floats: [1, 2, 3, 5, 7, 9])]
    ),
    OperatorCase(
      "cumsum.exclusive-reverse",
      cumsum(axis: 1, exclusive: true, reverse: true),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([2, 3], floats: [5, 3, 0, 11, 6, 0])]
    ),
    wideSums("cumsum.wide", reverse: false), wideSums("cumsum.wide-reverse", reverse: true),
    OperatorCase(
      "eye_like.offset",
      EyeLike(.int32, k: 1),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor(.int32, [2, 3], [0, 1, 0, 0, 0, 1])]
    ),
    OperatorCase(
      "fill.value",
      Fill(),
      [[Tensor(.int64, [2], [2, 1])], [Tensor([], floats: [3])]],
      expected: [Tensor([2, 1], floats: [3, 3])],
      constants: ["shape"]
    ),
    OperatorCase(
      "fill.run-time",
      Fill(),
      [[Tensor(.int64, [1], [2])], [Tensor(.int32, [], [3])]],
      expected: [Tensor(.int32, [2], [3, 3])]
    ),
    OperatorCase(
      "fill.empty",
      Fill(),
      [[Tensor(.int64, [1], [0])], [Tensor([], floats: [3])]],
      expected: [Tensor([0], floats: [])],
      constants: ["shape"]
    ),
    integers("identity.int16", Identity(), .int16, [1, -2], [1, -2]),
    OperatorCase(
      "non_max_suppression.corners",
      NonMaxSuppression(),
      suppressed + [[Tensor([], floats: [0.15])]],
      expected: [Tensor(.int64, [4, 3], [0, 0, 1, 0, 0, 3, 0, 1, 0, 0, 1, 3])]
    ),
    OperatorCase(
      "non_max_suppression.centred",
      NonMaxSuppression(isCentred: true),
      suppressed + [[]],
      expected: [Tensor(.int64, [5, 3], [0, 0, 1, 0, 0, 3, 0, 1, 0, 0, 1, 2, 0, 1, 3])],
      constants: ["max_boxes", "iou_threshold"]
    ),
    OperatorCase(
      "non_zero.matrix",
      NonZero(),
      [[Tensor([2, 2], floats: [1, 0, .nan, 2])]],
      expected: [Tensor(.int32, [3, 2], [0, 0, 1, 0, 1, 1])]
    ),
    OperatorCase(
      "non_zero.transposed",
      NonZero(transposed: true),
      [[Tensor(.bool, [3], [1, 0, 1])]],
      expected: [Tensor(.int64, [1, 2], [0, 2])]
    ),
    OperatorCase(
      "one_hot.last",
      OneHot(),
      [
        [Tensor(.int64, [3], [1, -1, 7])], [Tensor(.int64, [], [3])], [Tensor([], floats: [5])],
        [Tensor([], floats: [0.5])],
      ],
      expected: [Tensor([3, 3], floats: [0.5, 5, 0.5, 0.5, 0.5, 5, 0.5, 0.5, 0.5])],
      constants: ["depth"]
    ),
    OperatorCase(
      "one_hot.first",
      OneHot(axis: 0),
      [
        [Tensor(.int64, [2], [0, 1])], [Tensor(.int64, [], [2])], [Tensor(.int64, [], [1])], [Tensor(.int64, [], [0])],
      ],
      expected: [Tensor(.int64, [2, 2], [1, 0, 0, 1])]
    ),
    OperatorCase(
      "range_1d.up",
      Range1D(),
      [[Tensor(.int64, [], [10])], [Tensor(.int64, [], [1])], [Tensor(.int64, [], [4])]],
      expected: [Tensor(.int64, [3], [1, 5, 9])],
      constants: ["end", "start", "step"]
    ),
    OperatorCase(
      "range_1d.down",
      Range1D(),
      [[Tensor([], floats: [0])], [Tensor([], floats: [1])], [Tensor([], floats: [-0.5])]],
      expected: [Tensor([2], floats: [1, 0.5])]
    ),
    OperatorCase(
      "range_1d.empty",
      Range1D(),
      [[Tensor(.int64, [], [1])], [Tensor(.int64, [], [5])], [Tensor(.int64, [], [1])]],
      expected: [Tensor.shape([])]
    ),
    OperatorCase(
      "shape.all",
      Shape(dtype: .int64),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor(.int64, [2], [2, 3])]
    ),
    OperatorCase(
      "shape.part",
      Shape(start: -1, dtype: .int32),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor(.int32, [1], [3])]
    ),
    OperatorCase(
      "shape.scalar",
      Shape(dtype: .int64),
      [[Tensor([], floats: [1])]],
      expected: [Tensor.shape([])]
    ),
    OperatorCase(
      "split.sizes",
      Split(axis: 1, sizes: [1, 2]),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([2, 1], floats: [1, 4]), Tensor([2, 2], floats: [2, 3, 5, 6])]
    ),
    OperatorCase(
      "split.uneven",
      Split(axis: 1, count: 2),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([2, 2], floats: [1, 2, 4, 5]), Tensor([2, 1], floats: [3, 6])]
    ),
    OperatorCase(
      "split.single",
      Split(axis: 0, count: 1),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]
    ),
    OperatorCase(
      "tile.both",
      Tile(),
      [[Tensor([1, 2], floats: [1, 2])], [Tensor(.int64, [2], [2, 2])]],
      expected: [Tensor([2, 4], floats: [1, 2, 1, 2, 1, 2, 1, 2])],
      constants: ["reps"]
    ),
    OperatorCase(
      "tile.none",
      Tile(),
      [[Tensor([2], floats: [1, 2])], [Tensor(.int64, [1], [0])]],
      expected: [Tensor([0], floats: [])],
      constants: ["reps"]
    ),
    OperatorCase(
      "tile.run-time",
      Tile(),
      [[Tensor([2], floats: [1, 2])], [Tensor(.int64, [1], [2])]],
      expected: [Tensor([4], floats: [1, 2, 1, 2])]
    ),
    OperatorCase(
      "topk.largest",
      topk(axis: 1, ascending: false),
      [[Tensor([2, 3], floats: [1, 3, 3, 6, 5, 4])], [Tensor(.int64, [1], [2])]],
      expected: [Tensor([2, 2], floats: [3, 3, 6, 5]), Tensor(.int32, [2, 2], [1, 2, 0, 1])],
      constants: ["k"]
    ),
    OperatorCase(
      "topk.smallest-run-time",
      topk(axis: 0, ascending: true),
      [[Tensor([3], floats: [2, .nan, 1])], [Tensor(.int64, [1], [2])]],
      expected: [Tensor([2], floats: [1, 2]), Tensor(.int32, [2], [2, 0])]
    ),
    OperatorCase(
      "trilu.upper",
      Trilu(upper: true),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [], [1])]],
      expected: [Tensor([2, 3], floats: [0, 2, 3, 0, 0, 6])]
    ),
    OperatorCase(
      "trilu.lower",
      Trilu(upper: false),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([2, 3], floats: [1, 0, 0, 4, 5, 0])]
    ),
  ]

  /// Boxes, of which the first two overlap by 0.6 as corners, the scores of two classes, and limits.
  private static let suppressed = [
    [Tensor([1, 4, 4], floats: [0, 0, 4, 4, 0, 1, 4, 5, 4, 4, 0, 1, 10, 10, 11, 11])],
    [Tensor([1, 2, 4], floats: [0.5, 0.9, .nan, 0.5, 0.2, 0.2, 0.2, 0.2])], [Tensor(.int64, [], [3])],
    [Tensor([], floats: [0.5])],
  ]

  private static func cumsum(axis: Int, exclusive: Bool = false, reverse: Bool = false) -> Cumsum {
    var op = Cumsum()
    (op.axis, op.exclusive, op.reverse) = (axis, exclusive, reverse)
    return op
  }

  /// Three rows of more columns than a task has, in each of two images.
  private static func wideSums(_ label: String, reverse: Bool) -> OperatorCase {
    let (columns, count) = (530, 2 * 3 * 530)
    let x = (0..<count).map { Float($0 % 11 - 5) }
    let sums = (0..<count).map { place in
      let (row, column) = (place / columns % 3, place % columns)
      let rows = reverse ? row...2 : 0...row
      return rows.reduce(Float(0)) { $0 + x[(place / columns / 3 * 3 + $1) * columns + column] }
    }
    return OperatorCase(
      label,
      cumsum(axis: 1, reverse: reverse),
      [[Tensor([2, 3, columns], floats: x)]],
      expected: [Tensor([2, 3, columns], floats: sums)]
    )
  }

  private static func cumprod(axis: Int, exclusive: Bool = false, reverse: Bool = false) -> Cumprod {
    var op = Cumprod()
    (op.axis, op.exclusive, op.reverse) = (axis, exclusive, reverse)
    return op
  }

  private static func integers(_ label: String, _ op: any Operator, _ dtype: DType, _ x: [Int], _ y: [Int])
    -> OperatorCase
  {
    OperatorCase(label, op, [[Tensor(dtype, [x.count], x)]], expected: [Tensor(dtype, [y.count], y)])
  }

  private static func topk(axis: Int, ascending: Bool) -> TopK {
    var op = TopK()
    (op.axis, op.ascending) = (axis, ascending)
    return op
  }
}

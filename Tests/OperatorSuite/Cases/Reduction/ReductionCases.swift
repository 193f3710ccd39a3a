import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let reductionCases: [OperatorCase] = [
    OperatorCase(
      "reduce_argmax.rows",
      ReduceArgmax(axis: 1),
      [[Tensor([2, 3], floats: [1, 3, 3, .nan, 5, 4])]],
      expected: [Tensor(.int32, [2], [1, 0])]
    ),
    OperatorCase(
      "reduce_argmax.nan",
      ReduceArgmax(axis: 1),
      [[Tensor([2, 4], floats: [1, 3, .nan, 4, 7, .nan, .infinity, .nan])]],
      expected: [Tensor(.int32, [2], [2, 1])]
    ),
    OperatorCase(
      "reduce_argmax.last-nan",
      ReduceArgmax(axis: 1, selectLastIndex: true),
      [[Tensor([2, 4], floats: [1, 3, .nan, 4, 7, .nan, .infinity, .nan])]],
      expected: [Tensor(.int32, [2], [2, 3])]
    ),
    OperatorCase(
      "reduce_argmax.last",
      ReduceArgmax(axis: 1, keepDims: true, outputDType: .int64, selectLastIndex: true),
      [[Tensor([1, 3], floats: [1, 3, 3])]],
      expected: [Tensor(.int64, [1, 1], [2])]
    ),
    OperatorCase(
      "reduce_argmin.nan",
      ReduceArgmin(axis: 0),
      [[Tensor([3], floats: [2, .nan, -.infinity])]],
      expected: [Tensor(.int32, [Int](), [1])]
    ),
    OperatorCase(
      "reduce_argmin.columns",
      ReduceArgmin(axis: 0),
      [[Tensor([2, 3], floats: [1, 5, 2, 0, 5, 3])]],
      expected: [Tensor(.int32, [3], [1, 0, 0])]
    ),
    rows("reduce_sum.rows", ReduceSum(axes: [1]), [2], [6, 15]),
    rows("reduce_sum.columns", ReduceSum(axes: [0]), [3], [5, 7, 9]),
    rows("reduce_sum.all", ReduceSum(axes: []), [], [21]),
    rows("reduce_sum.keep", ReduceSum(axes: [-1], keepDims: true), [2, 1], [6, 15]),
    rows("reduce_sum.keep-all", ReduceSum(axes: [], keepDims: true), [1, 1], [21]),
    rows("reduce_mean.rows", ReduceMean(axes: [1]), [2], [2, 5]),
    rows("reduce_max.columns", ReduceMax(axes: [0]), [3], [4, 5, 6]),
    rows("reduce_min.columns", ReduceMin(axes: [0]), [3], [1, 2, 3]),
    rows("reduce_prod.rows", ReduceProd(axes: [1]), [2], [6, 120]),
    rows("reduce_sum_square.rows", ReduceSumSquare(axes: [1]), [2], [14, 77]),
    rows("reduce_l1_norm.rows", ReduceL1Norm(axes: [1]), [2], [6, 15]),
    rows("reduce_l2_norm.rows", ReduceL2Norm(axes: [1]), [2], [3.7416574, 8.774964]),
    rows("reduce_log_sum.rows", ReduceLogSum(axes: [1]), [2], [1.7917595, 2.7080502]),
    rows("reduce_log_sum_exp.rows", ReduceLogSumExp(axes: [1]), [2], [3.407606, 6.407606]),
    empty("reduce_sum.empty", ReduceSum(axes: [1]), 0),
    empty("reduce_mean.empty", ReduceMean(axes: [1]), .nan),
    empty("reduce_max.empty", ReduceMax(axes: [1]), -.infinity),
    empty("reduce_min.empty", ReduceMin(axes: [1]), .infinity),
    empty("reduce_prod.empty", ReduceProd(axes: [1]), 1),
    empty("reduce_log_sum.empty", ReduceLogSum(axes: [1]), -.infinity),
    empty("reduce_log_sum_exp.empty", ReduceLogSumExp(axes: [1]), -.infinity),
    special("reduce_max.nan", ReduceMax(axes: []), [1, .nan, 3], .nan),
    special("reduce_min.nan", ReduceMin(axes: []), [.nan, 1], .nan),
    special("reduce_log_sum_exp.large", ReduceLogSumExp(axes: []), [1000, 1000], 1000.6931),
    special("reduce_log_sum_exp.infinite", ReduceLogSumExp(axes: []), [.infinity, 1], .infinity),
    special("reduce_l1_norm.negative", ReduceL1Norm(axes: []), [-1.5, 2], 3.5),
    special("reduce_sum.double-accumulator", ReduceSum(axes: []), [16_777_216, 1, 1], 16_777_218),
    whole("reduce_sum.int32-wraps", ReduceSum(axes: []), .int32, [2_147_483_647, 1], -2_147_483_648),
    whole("reduce_mean.int64-truncates", ReduceMean(axes: []), .int64, [1, 2], 1),
    whole("reduce_max.uint64", ReduceMax(axes: []), .uint64, [-1, 3], -1),
    whole("reduce_min.int8-empty", ReduceMin(axes: []), .int8, [], 127),
    whole("reduce_max.bool", ReduceMax(axes: []), .bool, [0, 1, 0], 1),
    whole("reduce_min.bool", ReduceMin(axes: []), .bool, [0, 1], 0),
    OperatorCase(
      "reduce_sum.middle-and-last",
      ReduceSum(axes: [2, 0]),
      [[Tensor(.float32, [2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8])]],
      expected: [Tensor([2], floats: [14, 22])]
    ),
    OperatorCase("reduce_sum.scalar", ReduceSum(), [[.scalar(.float32, 3.0)]], expected: [.scalar(.float32, 3.0)]),
  ]

  /// Of `[[1, 2, 3], [4, 5, 6]]`.
  private static func rows(_ label: String, _ op: any Operator, _ shape: [Int], _ y: [Float]) -> OperatorCase {
    OperatorCase(label, op, [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]], expected: [Tensor(shape, floats: y)])
  }

  /// One row of no elements.
  private static func empty(_ label: String, _ op: any Operator, _ y: Float) -> OperatorCase {
    OperatorCase(label, op, [[Tensor([1, 0], floats: [])]], expected: [Tensor([1], floats: [y])])
  }

  private static func special(_ label: String, _ op: any Operator, _ x: [Float], _ y: Float) -> OperatorCase {
    OperatorCase(label, op, [[Tensor([x.count], floats: x)]], expected: [Tensor([], floats: [y])])
  }

  private static func whole(_ label: String, _ op: any Operator, _ dtype: DType, _ x: [Int], _ y: Int) -> OperatorCase {
    OperatorCase(label, op, [[Tensor(dtype, [x.count], x)]], expected: [.scalar(dtype, y)])
  }
}

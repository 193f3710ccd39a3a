import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let binaryArithmetic: [OperatorCase] = [
    pair("add.same-shape", Add(), [2], [1, 2.5], [2], [10, -0.5], [2], [11, 2]),
    pair("add.row", Add(), [2, 2], [1, 2, 3, 4], [2], [10, 20], [2, 2], [11, 22, 13, 24]),
    pair("add.outer", Add(), [2, 1], [1, 2], [1, 3], [10, 20, 30], [2, 3], [11, 21, 31, 12, 22, 32]),
    pair("add.scalar", Add(), [], [1], [3], [.nan, .infinity, 0], [3], [.nan, .infinity, 1]),
    pair("add.empty", Add(), [0, 2], [], [2], [1, 2], [0, 2], []),
    pair("sub.column", Sub(), [2, 2], [1, 2, 3, 4], [2, 1], [1, 2], [2, 2], [0, 1, 1, 2]),
    pair("mul.signs", Mul(), [3], [-2, 0, .infinity], [3], [3, 5, -1], [3], [-6, 0, -.infinity]),
    pair(
      "real_div.by-zero",
      RealDiv(),
      [4],
      [1, -1, 0, 6],
      [4],
      [0, 0, 0, 4],
      [4],
      [.infinity, -.infinity, .nan, 1.5]
    ),
    integers("add.int8-wraps", Add(), .int8, [127, -128], [1, -1], [-128, 127]),
    integers("sub.uint8-wraps", Sub(), .uint8, [0, 5], [1, 3], [255, 2]),
    integers("mul.int64-wraps", Mul(), .int64, [Int.max, 3], [2, -4], [-2, -12]),
    integers("real_div.int32-truncates", RealDiv(), .int32, [7, -7, 7, 5], [2, 2, -2, 0], [3, -3, -3, 0]),
    integers("real_div.int64-overflow", RealDiv(), .int64, [Int.min], [-1], [Int.min]),
    integers("real_div.uint64", RealDiv(), .uint64, [-2], [2], [Int.max]),
    OperatorCase(
      "add.float16-rounds-once",
      Add(),
      [[Tensor(.float16, [2], [2048.0, 1.0])], [Tensor(.float16, [1], [1.0])]],
      expected: [Tensor(.float16, [2], [2048.0, 2.0])]
    ),
  ]

  private static func pair(
    _ label: String,
    _ op: any Operator,
    _ a: [Int],
    _ x: [Float],
    _ b: [Int],
    _ y: [Float],
    _ c: [Int],
    _ z: [Float]
  ) -> OperatorCase {
    OperatorCase(label, op, [[Tensor(a, floats: x)], [Tensor(b, floats: y)]], expected: [Tensor(c, floats: z)])
  }

  /// Equal rank-1 operands of an integer type.
  static func integers(_ label: String, _ op: any Operator, _ dtype: DType, _ x: [Int], _ y: [Int], _ z: [Int])
    -> OperatorCase
  {
    OperatorCase(
      label,
      op,
      [[Tensor(dtype, [x.count], x)], [Tensor(dtype, [y.count], y)]],
      expected: [Tensor(dtype, [z.count], z)]
    )
  }
}

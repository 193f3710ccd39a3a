import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let elementwiseBinaryCases: [OperatorCase] = [
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
    pair("maximum.nan", Maximum(), [1, .nan, 3], [2, 1, .nan], [2, .nan, .nan]),
    pair("minimum.nan", Minimum(), [1, .nan, 3], [2, 1, .nan], [1, .nan, .nan]),
    pair("floor_div.signs", FloorDiv(), [7, -7, 7], [2, 2, -2], [3, -4, -4]),
    pair("mod.signs", Mod(), [7, -7, 7.5, 1], [3, 3, -2, 0], [1, 2, -0.5, .nan]),
    pair("pow.values", Pow(), [2, -2, 0, .nan, 4], [3, 2, 0, 0, 0.5], [8, 4, 1, 1, 2]),
    integers("maximum.uint64", Maximum(), .uint64, [-1], [1], [-1]),
    integers("minimum.int64", Minimum(), .int64, [-1], [1], [-1]),
    integers("floor_div.int32", FloorDiv(), .int32, [7, -7, 7, -7, 5], [2, 2, -2, -2, 0], [3, -4, -4, 3, 0]),
    integers("mod.int64", Mod(), .int64, [7, -7, 7, -7, 5], [3, 3, -3, -3, 0], [1, 2, -2, -1, 0]),
    integers("mod.truncated", truncated, .int64, [7, -7, 7, -7], [3, 3, -3, -3], [1, -1, 1, -1]),
    integers("pow.int64", Pow(), .int64, [2, -3, 2, 0, -1], [10, 3, -1, 0, -3], [1024, -27, 0, 1, -1]),
    integers("logical_and.table", LogicalAnd(), .bool, [0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]),
    integers("logical_or.table", LogicalOr(), .bool, [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1]),
    integers("logical_xor.table", LogicalXor(), .bool, [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]),
    integers("bitwise_and.int8", BitwiseAnd(), .int8, [12, -1], [10, 7], [8, 7]),
    integers("bitwise_or.uint8", BitwiseOr(), .uint8, [12], [3], [15]),
    integers("bitwise_xor.int64", BitwiseXor(), .int64, [12, -1], [10, 1], [6, -2]),
    integers("left_shift.uint8", LeftShift(), .uint8, [1, 129, 1], [3, 1, 8], [8, 2, 0]),
    integers("left_shift.int8", LeftShift(), .int8, [1, -127, 1, 3, -1], [3, 1, 8, -1, 7], [8, 2, 0, 0, -128]),
    integers("right_shift.int32", RightShift(), .int32, [-8, 8, -8, 8, -8], [1, 1, 32, 32, -1], [-4, 4, -1, 0, -1]),
    integers("right_shift.uint64", RightShift(), .uint64, [-1, 8, 1], [63, 2, 64], [1, 2, 0]),
    test("equal.nan", Equal(), [1, .nan, 2], [1, .nan, 3], [1, 0, 0]),
    test("not_equal.nan", NotEqual(), [1, .nan, 2], [1, .nan, 3], [0, 1, 1]),
    test("less.nan", Less(), [1, .nan, 2, -.infinity], [1, 1, 3, 0], [0, 0, 1, 1]),
    test("less_equal.nan", LessEqual(), [1, .nan, 2], [1, 1, 1], [1, 0, 0]),
    test("greater.nan", Greater(), [1, .nan, 2], [1, 1, 1], [0, 0, 1]),
    test("greater_equal.nan", GreaterEqual(), [1, .nan, 2], [1, 1, 3], [1, 0, 0]),
    OperatorCase(
      "less.uint64",
      Less(),
      [[Tensor(.uint64, [2], [-1, 1])], [Tensor(.uint64, [1], [2])]],
      expected: [Tensor(.bool, [2], [0, 1])]
    ),
    OperatorCase(
      "equal.large-int64",
      Equal(),
      [[Tensor(.int64, [1], [9_007_199_254_740_993])], [Tensor(.int64, [1], [9_007_199_254_740_992])]],
      expected: [Tensor(.bool, [1], [0])]
    ),
    OperatorCase(
      "equal.strings",
      Equal(),
      [[Tensor([2], strings: ["a", "b"])], [Tensor([1], strings: ["a"])]],
      expected: [Tensor(.bool, [2], [1, 0])]
    ),
    OperatorCase(
      "not_equal.strings",
      NotEqual(),
      [[Tensor([2], strings: ["é", "b"])], [Tensor([1], strings: ["e\u{301}"])]],
      expected: [Tensor(.bool, [2], [1, 1])]
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
  private static func integers(_ label: String, _ op: any Operator, _ dtype: DType, _ x: [Int], _ y: [Int], _ z: [Int])
    -> OperatorCase
  {
    OperatorCase(
      label,
      op,
      [[Tensor(dtype, [x.count], x)], [Tensor(dtype, [y.count], y)]],
      expected: [Tensor(dtype, [z.count], z)]
    )
  }

  private static func pair(_ label: String, _ op: any Operator, _ x: [Float], _ y: [Float], _ z: [Float])
    -> OperatorCase
  {
    OperatorCase(
      label,
      op,
      [[Tensor([x.count], floats: x)], [Tensor([y.count], floats: y)]],
      expected: [Tensor([z.count], floats: z)]
    )
  }

  private static var truncated: Mod {
    var op = Mod()
    op.truncate = true
    return op
  }

  private static func test(_ label: String, _ op: any Operator, _ x: [Float], _ y: [Float], _ z: [Int]) -> OperatorCase
  {
    OperatorCase(
      label,
      op,
      [[Tensor([x.count], floats: x)], [Tensor([y.count], floats: y)]],
      expected: [Tensor(.bool, [z.count], z)]
    )
  }
}

import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let comparison: [OperatorCase] = [
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
    OperatorCase(
      "select.broadcast",
      Select(),
      [[Tensor(.bool, [2, 1], [1, 0])], [Tensor([2], floats: [1, .nan])], [Tensor([], floats: [9])]],
      expected: [Tensor([2, 2], floats: [1, .nan, 9, 9])]
    ),
    OperatorCase(
      "select.strings",
      Select(),
      [[Tensor(.bool, [2], [1, 0])], [Tensor([2], strings: ["a", "b"])], [Tensor([2], strings: ["c", "d"])]],
      expected: [Tensor([2], strings: ["a", "d"])]
    ),
  ]

  private static var truncated: Mod {
    var op = Mod()
    op.truncate = true
    return op
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

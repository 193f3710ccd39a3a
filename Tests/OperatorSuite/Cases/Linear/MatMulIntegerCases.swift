import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let matMulIntegerCases: [OperatorCase] = [
    OperatorCase(
      "matmul_integer.zero-point",
      MatMulInteger(),
      [
        [Tensor(.uint8, [2, 3], [1, 2, 3, 255, 0, 9])], [Tensor(.int8, [2, 3], [1, 0, -1, 2, 5, 7])],
        [.scalar(.uint8, 2)],
      ],
      expected: [Tensor(.int32, [2, 2], [-2, 5, 246, 545])],
      constants: ["weight", "x_zero_point"]
    ),
    OperatorCase(
      "matmul_integer.extremes",
      MatMulInteger(),
      [[same(.uint8, [3, 64], 255)], [same(.int8, [20, 64], -128)], []],
      expected: [same(.int32, [3, 20], -2_088_960)],
      constants: ["weight"]
    ),
    OperatorCase(
      "matmul_integer.signed-extremes",
      MatMulInteger(),
      [[same(.int8, [3, 64], -128)], [same(.int8, [20, 64], -128)], [.scalar(.int8, 127)]],
      expected: [same(.int32, [3, 20], 2_088_960)],
      constants: ["weight", "x_zero_point"]
    ),
    bytes("rows", [2, 19, 36], [70, 36], zero: 128),
    bytes("one-row", [1, 128], [100, 128], zero: 3),
    bytes("vector", [24], [17, 24], zero: 3),
    bytes("odd-depth", [5, 23], [17, 23], zero: 99),
    bytes("signed", [9, 32], [33, 32], zero: -7, .int8),
    bytes("many-rows", [2, 32, 260], [96, 260], zero: 128),
    bytes("many-signed-rows", [64, 256], [96, 256], zero: -7, .int8),
    bytes("run-time-zero-point", [9, 32], [33, 32], zero: 7, constants: ["weight"]),
    bytes("run-time-weight", [9, 32], [33, 32], zero: 7, constants: []),
    bytes("empty", [0, 32], [33, 32], zero: 7),
  ]

  /// Bytes all over their range.
  private static func bytes(
    _ label: String,
    _ x: [Int],
    _ weight: [Int],
    zero: Int,
    _ dtype: DType = .uint8,
    constants: Set<String> = ["weight", "x_zero_point"]
  ) -> OperatorCase {
    OperatorCase(
      "matmul_integer.\(label)",
      MatMulInteger(),
      [[scattered(dtype, x, 101)], [scattered(.int8, weight, 37)], [.scalar(dtype, zero)]],
      expected: [nil],
      constants: constants
    )
  }

  private static func same(_ dtype: DType, _ shape: [Int], _ number: Int) -> Tensor {
    Tensor(dtype, shape, [Int](repeating: number, count: shape.reduce(1, *)))
  }

  private static func scattered(_ dtype: DType, _ shape: [Int], _ step: Int) -> Tensor {
    let offset = dtype.isSigned ? 128 : 0
    let numbers = (0..<shape.reduce(1, *)).map { (index: Int) -> Int in (index * step + index / 7) % 256 - offset }
    return Tensor(dtype, shape, numbers)
  }
}

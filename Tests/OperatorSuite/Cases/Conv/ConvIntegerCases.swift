import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  /// Expected numbers come of data and weights that are one number each; of others executors agree.
  static let convIntegerCases: [OperatorCase] = [
    OperatorCase(
      "conv_integer.zero-point",
      ConvInteger(),
      [
        [Tensor(.uint8, [1, 2, 1, 2], [3, 10, 255, 0])], [Tensor(.int8, [1, 2, 1, 1], [2, -1])],
        [.scalar(.uint8, 10)],
      ],
      expected: [Tensor(.int32, [1, 1, 1, 2], [-14 - 245, 10])],
      constants: ["weight", "x_zero_point"]
    ),
    OperatorCase(
      "conv_integer.padding-is-zero-point",
      made { $0.pad = [1, 1, 1, 1] },
      [[same(.uint8, [1, 1, 2, 2], 7)], [same(.int8, [1, 1, 3, 3], 1)], [.scalar(.uint8, 5)]],
      expected: [same(.int32, [1, 1, 2, 2], 8)],
      constants: ["weight", "x_zero_point"]
    ),
    // Sums of pairs of products leave int16.
    OperatorCase(
      "conv_integer.extremes",
      ConvInteger(),
      [[same(.uint8, [1, 48, 3, 5], 255)], [same(.int8, [20, 48, 1, 1], -128)], []],
      expected: [same(.int32, [1, 20, 3, 5], -1_566_720)],
      constants: ["weight"]
    ),
    OperatorCase(
      "conv_integer.signed-extremes",
      ConvInteger(),
      [[same(.int8, [1, 48, 3, 5], -128)], [same(.int8, [20, 48, 1, 1], -128)], [.scalar(.int8, 127)]],
      expected: [same(.int32, [1, 20, 3, 5], 1_566_720)],
      constants: ["weight", "x_zero_point"]
    ),
    bytes("pointwise", [2, 20, 6, 7], [36, 20, 1, 1], zero: 128) { _ in },
    bytes("pointwise-stride", [1, 64, 7, 7], [64, 64, 1, 1], zero: 3) { $0.strides = [2, 2] },
    bytes("three-by-three", [1, 19, 9, 8], [33, 19, 3, 3], zero: 77) { $0.pad = [1, 1, 1, 1] },
    bytes("many-channels", [1, 70, 14, 14], [48, 70, 3, 3], zero: 77) { $0.pad = [1, 1, 1, 1] },
    bytes("many-strided-channels", [2, 128, 15, 15], [64, 128, 3, 3], zero: 5, .int8) {
      $0.pad = [1, 0, 1, 1]
      $0.strides = [2, 2]
    },
    bytes("stride-dilation", [1, 3, 15, 17], [24, 3, 3, 5], zero: 200) {
      $0.pad = [1, 2, 0, 3]
      $0.strides = [2, 1]
      $0.dilations = [2, 2]
    },
    bytes("groups", [1, 64, 5, 6], [32, 32, 3, 3], zero: 9) {
      $0.pad = [1, 1, 1, 1]
      $0.groups = 2
    },
    bytes("narrow-groups", [1, 6, 5, 6], [4, 3, 3, 3], zero: 9) {
      $0.pad = [1, 1, 1, 1]
      $0.groups = 2
    },
    bytes("depthwise", [2, 21, 9, 11], [21, 1, 3, 3], zero: 131) {
      $0.pad = [1, 1, 1, 1]
      $0.groups = 21
    },
    bytes("depthwise-stride", [1, 32, 13, 15], [32, 1, 5, 5], zero: 1) {
      $0.pad = [2, 2, 2, 2]
      $0.strides = [2, 2]
      $0.groups = 32
    },
    bytes("depthwise-dilated", [1, 16, 9, 9], [16, 1, 3, 3], zero: 50) {
      $0.dilations = [2, 2]
      $0.groups = 16
    },
    bytes("one-axis", [1, 8, 20], [17, 8, 3], zero: 250) { $0.pad = [1, 1] },
    bytes("three-axes", [1, 2, 3, 4, 5], [3, 2, 2, 2, 2], zero: 250) { $0.pad = [1, 0, 1, 0, 1, 1] },
    bytes("signed", [1, 20, 6, 7], [36, 20, 3, 3], zero: -3, .int8) { $0.pad = [1, 1, 1, 1] },
    bytes("run-time-zero-point", [1, 5, 6, 7], [6, 5, 3, 3], zero: 90, constants: ["weight"]) {
      $0.pad = [1, 1, 1, 1]
    },
    bytes("run-time-weight", [1, 5, 6, 7], [6, 5, 3, 3], zero: 90, constants: []) { $0.pad = [1, 1, 1, 1] },
  ]

  /// Bytes all over their range.
  private static func bytes(
    _ label: String,
    _ x: [Int],
    _ weight: [Int],
    zero: Int,
    _ dtype: DType = .uint8,
    constants: Set<String> = ["weight", "x_zero_point"],
    _ change: (inout ConvInteger) -> Void
  ) -> OperatorCase {
    OperatorCase(
      "conv_integer.\(label)",
      made(change),
      [[scattered(dtype, x, 101)], [scattered(.int8, weight, 37)], [.scalar(dtype, zero)]],
      expected: [nil],
      constants: constants
    )
  }

  private static func made(_ change: (inout ConvInteger) -> Void) -> ConvInteger {
    var op = ConvInteger()
    change(&op)
    return op
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

import MLCCore
import MLCGraph
import MLCOps

/// Worked out by hand. Every argument is a constant.
extension OperatorCase {
  static let constexprCases: [OperatorCase] = shiftScales + palettes + sparse + casts

  private static func expression(
    _ label: String,
    _ op: any ConstantExpression,
    _ inputs: [Tensor?],
    expected: [Tensor]
  ) -> OperatorCase {
    let ports = inputs.map { $0.map { [$0] } ?? [] }
    return OperatorCase(label, op, ports, expected: expected, constants: Set(type(of: op).portNames), rtol: 0, atol: 0)
  }

  private static let shiftScales: [OperatorCase] = [
    expression(
      "constexpr_blockwise_shift_scale.per-tensor",
      ConstexprBlockwiseShiftScale(),
      [Tensor(.int8, [2, 2], [-128, 0, 1, 127]), Tensor([1, 1], floats: [0.5])],
      expected: [Tensor([2, 2], floats: [-64, 0, 0.5, 63.5])]
    ),
    expression(
      "constexpr_blockwise_shift_scale.per-channel-offset",
      ConstexprBlockwiseShiftScale(),
      [
        Tensor(.uint8, [2, 3], [0, 10, 255, 0, 10, 255]), Tensor([2, 1], floats: [1, 0.25]),
        Tensor(.uint8, [2, 1], [10, 255]),
      ],
      expected: [Tensor([2, 3], floats: [-10, 0, 245, -63.75, -61.25, 0])]
    ),
    expression(
      "constexpr_blockwise_shift_scale.int4-blocks",
      ConstexprBlockwiseShiftScale(),
      [Tensor(.int4, [2, 4], [-8, 7, -1, 0, 1, 2, 3, 4]), Tensor([2, 2], floats: [1, 2, 10, 100])],
      expected: [Tensor([2, 4], floats: [-8, 7, -2, 0, 10, 20, 300, 400])]
    ),
    expression(
      "constexpr_blockwise_shift_scale.uint4-inner-axis",
      ConstexprBlockwiseShiftScale(),
      [
        Tensor(.uint4, [3, 2, 1], [0, 15, 1, 2, 3, 4]), Tensor(.float16, [1, 2, 1], [0.5, 2]),
        Tensor(.uint4, [1, 2, 1], [8, 1]),
      ],
      expected: [Tensor(.float16, [3, 2, 1], [-4, 28, -3.5, 2, -2.5, 6])]
    ),
    expression(
      "constexpr_blockwise_shift_scale.float-data",
      ConstexprBlockwiseShiftScale(),
      [
        Tensor([4], floats: [1, -.infinity, .nan, -0.0]), Tensor([2], floats: [3, 2]), Tensor([2], floats: [0.5, 0]),
      ],
      expected: [Tensor([4], floats: [1.5, -.infinity, .nan, -0.0])]
    ),
  ]

  private static let palettes: [OperatorCase] = [
    expression(
      "constexpr_lut_to_dense.per-tensor",
      ConstexprLutToDense(),
      [Tensor(.uint1, [3, 3], [0, 1, 1, 0, 0, 0, 1, 1, 1]), Tensor([1, 1, 2, 1], floats: [-1, .infinity])],
      expected: [
        Tensor([3, 3], floats: [-1, .infinity, .infinity, -1, -1, -1, .infinity, .infinity, .infinity])
      ]
    ),
    expression(
      "constexpr_lut_to_dense.grouped",
      ConstexprLutToDense(),
      [
        Tensor(.uint2, [6, 2], [2, 3, 3, 0, 1, 0, 3, 0, 2, 1, 0, 3]),
        Tensor(.float16, [2, 1, 4, 1], [1, 5, 9, 13, 2, 10, 18, 26]),
      ],
      expected: [Tensor(.float16, [6, 2], [9, 13, 13, 1, 5, 1, 26, 2, 18, 10, 2, 26])]
    ),
    expression(
      "constexpr_lut_to_dense.three-bits",
      ConstexprLutToDense(),
      [Tensor(.uint3, [11], (0..<11).map { $0 * 5 % 8 }), Tensor([1, 8, 1], floats: (0..<8).map { Float($0) * 0.5 })],
      expected: [Tensor([11], floats: (0..<11).map { Float($0 * 5 % 8) * 0.5 })]
    ),
    expression(
      "constexpr_lut_to_dense.six-bits-int8",
      ConstexprLutToDense(),
      [Tensor(.uint6, [1, 3], [63, 0, 32]), Tensor(.int8, [1, 1, 64, 1], (0..<64).map { $0 - 64 })],
      expected: [Tensor(.int8, [1, 3], [-1, -64, -32])]
    ),
    expression(
      "constexpr_lut_to_dense.vector-outer",
      ConstexprLutToDense(vectorAxis: 1),
      [Tensor(.uint1, [2, 2, 2], [0, 0, 1, 0, 1, 1, 0, 0]), Tensor([1, 1, 1, 2, 3], floats: [1, 2, 3, 4, 5, 6])],
      expected: [
        Tensor(
          [2, 6, 2],
          floats: [1, 1, 2, 2, 3, 3, 4, 1, 5, 2, 6, 3, 4, 4, 5, 5, 6, 6, 1, 1, 2, 2, 3, 3]
        )
      ]
    ),
    expression(
      "constexpr_lut_to_dense.vector-inner",
      ConstexprLutToDense(vectorAxis: -1),
      [Tensor(.uint1, [2, 2], [0, 1, 1, 0]), Tensor([2, 1, 2, 2], floats: [1, 2, 3, 4, 5, 6, 7, 8])],
      expected: [Tensor([2, 4], floats: [1, 2, 3, 4, 7, 8, 5, 6])]
    ),
    expression(
      "constexpr_lut_to_sparse.scalar",
      ConstexprLutToSparse(),
      [
        Tensor(.uint1, [2, 3], [1, 1, 0, 0, 0, 1]), Tensor(.uint1, [3], [0, 1, 1]),
        Tensor([2, 1, 2, 1], floats: [2, 3, 20, 30]),
      ],
      expected: [Tensor(.uint1, [2, 3], [1, 1, 0, 0, 0, 1]), Tensor([3], floats: [2, 3, 30])]
    ),
    expression(
      "constexpr_lut_to_sparse.vector",
      ConstexprLutToSparse(vectorAxis: 0),
      [
        Tensor(.uint1, [2, 3], [1, 1, 0, 0, 0, 1]), Tensor(.uint1, [3], [0, 1, 1]),
        Tensor([1, 1, 2, 2], floats: [2, 2.5, 3, 3.5]),
      ],
      expected: [
        Tensor(.uint1, [4, 3], [1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1]), Tensor([6], floats: [2, 3, 2.5, 3.5, 3, 3.5]),
      ]
    ),
  ]

  private static let sparse: [OperatorCase] = [
    expression(
      "constexpr_sparse_to_dense.float",
      ConstexprSparseToDense(),
      [Tensor([3], floats: [1, .nan, -0.0]), Tensor(.uint1, [2, 3], [0, 1, 1, 0, 0, 1])],
      expected: [Tensor([2, 3], floats: [0, 1, .nan, 0, 0, -0.0])]
    ),
    expression(
      "constexpr_sparse_to_dense.none",
      ConstexprSparseToDense(),
      [Tensor(.float16, [0], [Double]()), Tensor(.uint1, [9], [Int](repeating: 0, count: 9))],
      expected: [Tensor(.float16, [9], [Double](repeating: 0, count: 9))]
    ),
    expression(
      "constexpr_sparse_to_dense.int8",
      ConstexprSparseToDense(),
      [Tensor(.int8, [2], [-7, 3]), Tensor(.uint1, [3], [1, 0, 1])],
      expected: [Tensor(.int8, [3], [-7, 0, 3])]
    ),
    expression(
      "constexpr_sparse_to_dense.int4",
      ConstexprSparseToDense(),
      [Tensor(.int4, [2], [-7, 3]), Tensor(.uint1, [3], [1, 0, 1])],
      expected: [Tensor(.int4, [3], [-7, 0, 3])]
    ),
    expression(
      "constexpr_sparse_blockwise_shift_scale.per-column",
      ConstexprSparseBlockwiseShiftScale(),
      [
        Tensor(.uint1, [4, 4], [1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0]),
        Tensor(.int8, [9], [10, 11, 3, 4, 5, 6, 7, 8, 9]), Tensor([1, 4], floats: [1, 2, 4, 8]),
        Tensor(.int8, [1, 4], [1, 2, 3, 4]),
      ],
      expected: [
        Tensor(.uint1, [4, 4], [1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0]),
        Tensor([9], floats: [9, 18, 2, 4, 8, 12, 24, 7, 14]),
      ]
    ),
  ]

  private static let casts: [OperatorCase] = [
    expression(
      "constexpr_cast.widens",
      ConstexprCast(.float32),
      [Tensor(.float16, [4], [0.1, -.infinity, .nan, 65504])],
      expected: [Tensor([4], floats: [0.0999755859375, -.infinity, .nan, 65504])]
    ),
    expression(
      "constexpr_cast.narrows",
      ConstexprCast(.float16),
      [Tensor([3], floats: [1e6, 1e-9, 2049])],
      expected: [Tensor(.float16, [3], [.infinity, 0, 2048])]
    ),
  ]
}

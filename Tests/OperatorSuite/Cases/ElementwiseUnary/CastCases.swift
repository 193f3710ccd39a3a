import MLCCore
import MLCGraph
import MLCOps

/// Floats of at most eight bits, and integers of fewer: casts from and to all of them.
extension OperatorCase {
  static let castCases: [OperatorCase] =
    decoded + rounded + [
      narrow("cast.float-to-int4-wraps", [8.9, -9.0, 7, -8, 0], .int4, [-8, 7, 7, -8, 0]),
      narrow("cast.float-to-int2-wraps", [-3, -2, 1, 2, 3, 4, 5], .int2, [1, -2, 1, -2, -1, 0, 1]),
      narrow("cast.float-to-uint2-wraps", [-1, 3, 4, 2.5, 9], .uint2, [3, 3, 0, 2, 1]),
      narrow("cast.float-to-uint4", [15, 16, 1, 2, 3, 4, 5, 6, 7], .uint4, [15, 0, 1, 2, 3, 4, 5, 6, 7]),
      OperatorCase(
        "cast.int4-to-int2-keeps-bits",
        Cast(.int2),
        [[Tensor(.int4, [4], [-8, 7, -1, 5])]],
        expected: [Tensor(.int2, [4], [0, -1, -1, 1])]
      ),
      OperatorCase(
        "cast.int2-to-half",
        Cast(.float16),
        [[Tensor(.int2, [5], [-2, -1, 0, 1, -2])]],
        expected: [Tensor(.float16, [5], [-2.0, -1, 0, 1, -2])]
      ),
      // In float32 it would be 1.5 · 2²⁴, halfway.
      OperatorCase(
        "cast.long-to-power-of-two",
        Cast(.float8e8m0),
        [[Tensor(.int64, [3], [3 << 30 - 1, 3 << 30, 1])]],
        expected: [Tensor(.float8e8m0, [3], codes: [127 + 31, 127 + 32, 127])]
      ),
      OperatorCase(
        "cast.double-to-e4m3fn-rounds-once",
        Cast(.float8e4m3fn),
        [[Tensor(.float64, [2], [1.0625 + 0x1p-40, 1.0625])]],
        expected: [Tensor(.float8e4m3fn, [2], [1.125, 1])]
      ),
      OperatorCase(
        "cast.e5m2-to-e4m3fn",
        Cast(.float8e4m3fn),
        [[Tensor(.float8e5m2, [3], [0.0625, Double.infinity, -1.75])]],
        expected: [Tensor(.float8e4m3fn, [3], [0.0625, Double.nan, -1.75])]
      ),
    ]

  private static func narrow(_ label: String, _ x: [Float], _ dtype: DType, _ y: [Int]) -> OperatorCase {
    OperatorCase(label, Cast(dtype), [[Tensor([x.count], floats: x)]], expected: [Tensor(dtype, [y.count], y)])
  }

  /// Exponent bits, mantissa bits and bias of each type, and how many of its codes without a sign are numbers.
  private static let layouts: [(dtype: DType, mantissa: Int, bias: Int, numbers: Int)] = [
    (.float8e4m3fn, 3, 7, 127), (.float8e4m3fnuz, 3, 8, 128), (.float8e5m2, 2, 15, 124), (.float8e5m2fnuz, 2, 16, 128),
    (.float8e8m0, 0, 127, 255), (.float4e2m1, 1, 1, 8),
  ]

  private static func number(_ code: Int, mantissa: Int, bias: Int) -> Float {
    let (exponent, fraction) = (code >> mantissa, Float(code % (1 << mantissa)) / Float(1 << mantissa))
    if exponent == 0, mantissa > 0 { return fraction * Float(sign: .plus, exponent: 1 - bias, significand: 1) }
    return (1 + fraction) * Float(sign: .plus, exponent: exponent - bias, significand: 1)
  }

  /// Every code without a sign that is a number.
  private static let decoded = layouts.map { dtype, mantissa, bias, numbers in
    OperatorCase(
      "cast.from-\(dtype.rawValue)",
      Cast(.float32),
      [[Tensor(dtype, [numbers], codes: (0..<numbers).map { UInt8($0) })]],
      expected: [Tensor([numbers], floats: (0..<numbers).map { number($0, mantissa: mantissa, bias: bias) })],
      rtol: 0,
      atol: 0
    )
  }

  /// Numbers, the middles between them and the floats beside those, and what is no number.
  private static let rounded = layouts.map { dtype, mantissa, bias, numbers in
    var (x, y): ([Float], [UInt8]) = ([], [])
    for code in 0..<numbers - 1 {
      let (low, high) = (number(code, mantissa: mantissa, bias: bias), number(code + 1, mantissa: mantissa, bias: bias))
      let middle = (low + high) / 2
      let even = mantissa == 0 || code % 2 == 1 ? code + 1 : code
      x += [low, middle, middle.nextDown, middle.nextUp]
      y += [code, even, code, code + 1].map { UInt8($0) }
    }
    let (sign, isUnsigned): (UInt8, Bool) = (dtype == .float4e2m1 ? 8 : 0x80, dtype == .float8e8m0)
    let hasZeroes = ![.float8e4m3fnuz, .float8e5m2fnuz].contains(dtype)
    if !isUnsigned {
      let pairs = Array(zip(x, y))
      x += pairs.map { -$0.0 }
      y += pairs.map { $0.1 == 0 && !hasZeroes ? 0 : $0.1 | sign }
    }
    x += [.nan, .infinity, -.infinity]
    switch dtype {
    case .float8e4m3fn: y += [0x7f, 0x7f, 0xff]
    case .float8e5m2: y += [0x7e, 0x7c, 0xfc]
    case .float4e2m1: y += [8, 7, 15]
    case .float8e8m0: y += [255, 255, 255]
    default: y += [0x80, 0x80, 0x80]
    }
    return OperatorCase(
      "cast.to-\(dtype.rawValue)",
      Cast(dtype),
      [[Tensor([x.count], floats: x)]],
      expected: [Tensor(dtype, [y.count], codes: y)],
      rtol: 0,
      atol: 0
    )
  }
}

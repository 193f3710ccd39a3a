import MLCCore
import Testing

@Suite struct FloatFormatTests {
  static let types = DType.allCases.filter { $0.smallFloat != nil }

  /// The numbers of the codes without a sign, ascending, worked out from exponent and mantissa bits; their count is
  /// where infinity and NaN begin.
  private static func numbers(_ dtype: DType) -> [Double] {
    func all(_ exponents: Int, _ mantissa: Int, bias: Int, count: Int) -> [Double] {
      (0..<count).map { code in
        let (e, m) = (code / mantissa, code % mantissa)
        let power = Double(sign: .plus, exponent: (e == 0 && mantissa > 1 ? 1 : e) - bias, significand: 1)
        return power * (Double(m) / Double(mantissa) + (e == 0 && mantissa > 1 ? 0 : 1))
      }
    }
    switch dtype {
    case .float8e4m3fn: return all(16, 8, bias: 7, count: 127)
    case .float8e4m3fnuz: return all(16, 8, bias: 8, count: 128)
    case .float8e5m2: return all(32, 4, bias: 15, count: 124)
    case .float8e5m2fnuz: return all(32, 4, bias: 16, count: 128)
    case .float8e8m0: return all(256, 1, bias: 127, count: 255)
    default: return all(4, 2, bias: 1, count: 8)
    }
  }

  private func codes(_ dtype: DType, _ values: [Double]) -> [UInt8] { Tensor(dtype, [values.count], values).codes }

  @Test(arguments: types) func everyCodeIsItsNumber(_ dtype: DType) {
    let numbers = Self.numbers(dtype)
    let all = Tensor(dtype, [numbers.count], codes: numbers.indices.map { UInt8($0) })
    #expect(all.doubles == numbers)
    #expect(codes(dtype, numbers) == all.codes)
    #expect(all.floats.map(Double.init) == numbers)
    guard let format = dtype.smallFloat, format.isSigned else { return }
    let negative = Tensor(dtype, [numbers.count - 1], codes: (1..<numbers.count).map { UInt8($0) | format.signBit })
    #expect(negative.doubles == numbers.dropFirst().map { -$0 })
    #expect(codes(dtype, negative.doubles) == negative.codes)
  }

  /// Halfway goes to the even code, or up between powers of two; the next doubles to either side where they belong.
  @Test(arguments: types) func everyHalfwayPointRounds(_ dtype: DType) {
    let numbers = Self.numbers(dtype)
    for code in numbers.indices.dropLast() {
      let middle = (numbers[code] + numbers[code + 1]) / 2
      let even = dtype == .float8e8m0 || code % 2 == 1 ? code + 1 : code
      let found = codes(dtype, [middle, middle.nextDown, middle.nextUp])
      #expect(found == [UInt8(even), UInt8(code), UInt8(code + 1)], "between \(numbers[code]) and the next")
      guard let format = dtype.smallFloat, format.isSigned else { continue }
      let isPlain = even > 0 || format.hasNegativeZero
      #expect(codes(dtype, [-middle]) == [isPlain ? UInt8(even) | format.signBit : 0])
    }
  }

  @Test func whatIsNoNumberRounds() {
    let values = [.nan, -.nan, .infinity, -.infinity, 1e9, -1e9, 0, -0.0]
    #expect(codes(.float8e4m3fn, values) == [0x7f, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0, 0x80])
    #expect(codes(.float8e4m3fnuz, values) == [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0])
    #expect(codes(.float8e5m2, values) == [0x7e, 0xfe, 0x7c, 0xfc, 0x7c, 0xfc, 0, 0x80])
    #expect(codes(.float8e5m2fnuz, values) == [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0])
    #expect(codes(.float4e2m1, values) == [8, 8, 7, 15, 7, 15, 0, 8])
    #expect(codes(.float8e8m0, values) == [255, 255, 255, 255, 127 + 30, 255, 255, 255])
    #expect(codes(.float8e8m0, [0x1p127, 0x1.0001p127, 0x1p-127, 0x1.fp-128]) == [254, 255, 0, 255])
    // The last step rounds to the largest number, and what is halfway beyond it by the even code.
    #expect(codes(.float8e4m3fn, [464, 464.1]) == [0x7e, 0x7f])
    #expect(codes(.float8e5m2, [61439, 61440]) == [0x7b, 0x7c])
    let notNumbers = Tensor(.float8e5m2, [4], codes: [0x7c, 0xfc, 0x7d, 0xff]).doubles
    #expect(notNumbers[0] == .infinity && notNumbers[1] == -.infinity && notNumbers[2].isNaN && notNumbers[3].isNaN)
    for dtype in [DType.float8e4m3fnuz, .float8e5m2fnuz] { #expect(Tensor(dtype, [1], codes: [0x80]).doubles[0].isNaN) }
  }

  @Test func narrowIntegersWrap() {
    #expect(Tensor(.int2, [5], [-3, -2, 1, 2, 3]).integers == [1, -2, 1, -2, -1])
    #expect(Tensor(.int2, [3], [1.9, -1.9, .nan]).doubles == [1, -1, 0])
    Tensor(.int2, [5], [-2, 1, 0, -1, 1]).withBytes { #expect(Array($0) == [0b11_00_01_10, 1]) }
    #expect(Tensor(.float4e2m1, [3], [6.0, -0.5, 1]).converted(to: .int4).integers == [6, 0, 1])
  }
}

/// A floating-point format of at most eight bits.
///
/// A code is, from its high bits down, a sign, an exponent e and a mantissa m. Codes without their sign up to `largest`
/// are numbers: `(1 + m·2⁻ᴹ) · 2^(e − bias)`, and where e is 0 and there is a mantissa `m · 2^(1 − bias − M)`. A format
/// without a mantissa holds powers of two, and neither a sign nor 0. Codes beyond `largest` are infinity, where there
/// is one, and NaN.
///
/// Rounding goes to the nearest number, halves to the even code; between powers of two to the larger one. What rounds
/// beyond the largest number becomes infinity, NaN or the largest number, whichever the format has first. Powers of two
/// have no such rounding: what lies outside of theirs is NaN. NaN keeps its sign where NaNs have one; a format without
/// NaN makes −0 of it. Sources: ONNX `Cast` with `saturate` 0; the OCP specifications of 8-bit floats and of
/// microscaling formats.
package struct FloatFormat: Hashable, Sendable {
  /// `e4m3fn`.
  package let name: String
  package let exponentBits: Int, mantissaBits: Int, bias: Int
  /// Codes without their sign.
  package let largest: UInt8, infinity: UInt8?
  /// Rounding makes this of NaN.
  package let nan: UInt8?

  package var isSigned: Bool { mantissaBits > 0 }
  /// Bits of a code without its sign.
  package var magnitudeBits: Int { exponentBits + mantissaBits }
  /// The sign alone; 0 where there is none.
  package var signBit: UInt8 { isSigned ? 1 << magnitudeBits : 0 }
  /// Whether the sign alone is −0, and not NaN.
  package var hasNegativeZero: Bool { isSigned && nan != signBit }
  /// What a number beyond the largest becomes, without its sign.
  package var overflow: UInt8 { infinity ?? nan ?? largest }
  package var greatestFiniteMagnitude: Double { number(largest) }
  package var leastMagnitude: Double { number(isSigned ? 1 : 0) }
}

extension FloatFormat {
  /// The number that `code` stands for.
  package func number(_ code: UInt8) -> Double {
    let magnitude = isSigned ? code & (signBit - 1) : code
    let isNegative = code & signBit != 0
    if magnitude > largest { return magnitude == infinity ? (isNegative ? -.infinity : .infinity) : .nan }
    if isNegative, magnitude == 0, !hasNegativeZero { return .nan }
    let (exponent, mantissa) = (Int(magnitude) >> mantissaBits, Int(magnitude) & ((1 << mantissaBits) - 1))
    let isTiny = isSigned && exponent == 0
    let steps = Double(isTiny ? mantissa : mantissa + (1 << mantissaBits))
    let power = (isTiny ? 1 : exponent) - bias - mantissaBits
    let value = steps * Double(sign: .plus, exponent: power, significand: 1)
    return isNegative ? -value : value
  }

  /// The code of the nearest number.
  package func code(_ value: Double) -> UInt8 {
    if !isSigned { return powerOfTwo(value) }
    let sign = value.sign == .minus ? signBit : 0
    if value.isNaN { return nan.map { $0 | sign } ?? signBit }
    let magnitude = value.magnitude
    if magnitude >= 2 * greatestFiniteMagnitude { return overflow | sign }
    let exponent = max(magnitude == 0 ? 1 - bias : Int(magnitude.exponent), 1 - bias)
    let step = Double(sign: .plus, exponent: exponent - mantissaBits, significand: 1)
    let steps = Int((magnitude / step).rounded(.toNearestOrEven))
    // Steps that carry into the next exponent are its first number.
    let code = ((exponent + bias) << mantissaBits) + steps - (1 << mantissaBits)
    if code > Int(largest) { return overflow | sign }
    return code == 0 && !hasNegativeZero ? 0 : UInt8(code) | sign
  }

  private func powerOfTwo(_ value: Double) -> UInt8 {
    guard value >= leastMagnitude, value <= greatestFiniteMagnitude else { return nan! }
    return UInt8(Int(value.exponent) + bias + (value.significand >= 1.5 ? 1 : 0))
  }
}

extension DType {
  /// How an element is made up, for floating-point types of at most eight bits.
  package var smallFloat: FloatFormat? {
    switch self {
    case .float8e4m3fn: FloatFormat("e4m3fn", 4, 3, bias: 7, largest: 0x7e, nan: 0x7f)
    case .float8e4m3fnuz: FloatFormat("e4m3fnuz", 4, 3, bias: 8, largest: 0x7f, nan: 0x80)
    case .float8e5m2: FloatFormat("e5m2", 5, 2, bias: 15, largest: 0x7b, infinity: 0x7c, nan: 0x7e)
    case .float8e5m2fnuz: FloatFormat("e5m2fnuz", 5, 2, bias: 16, largest: 0x7f, nan: 0x80)
    case .float8e8m0: FloatFormat("e8m0", 8, 0, bias: 127, largest: 0xfe, nan: 0xff)
    case .float4e2m1: FloatFormat("e2m1", 2, 1, bias: 1, largest: 0x7, nan: nil)
    default: nil
    }
  }
}

extension FloatFormat {
  fileprivate init(
    _ name: String,
    _ exponentBits: Int,
    _ mantissaBits: Int,
    bias: Int,
    largest: UInt8,
    infinity: UInt8? = nil,
    nan: UInt8?
  ) {
    (self.name, self.exponentBits, self.mantissaBits, self.bias) = (name, exponentBits, mantissaBits, bias)
    (self.largest, self.infinity, self.nan) = (largest, infinity, nan)
  }
}

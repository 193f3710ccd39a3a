import MLCCore

/// How numbers are spelled as text. Source: ONNX `Cast`.
///
/// Integers are decimal, truth values 1 and 0. Floats have as few digits as read back equal in their type; they are
/// plain (`0.0001`, `314.15926`, `16777216`) from 10⁻⁴ on and below 10¹⁶, scientific (`1e-05`, `2.5e+16`) beyond; those
/// that are no numbers are `NaN`, `INF` and `-INF`.
package enum NumberText {
  package static func text(_ value: some FixedWidthInteger) -> String { String(value) }

  /// `value`, which `dtype` holds.
  package static func text(_ value: Double, as dtype: DType) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-INF" : "INF" }
    let sign = value.sign == .minus ? "-" : ""
    return sign + Decimal(magnitude: value.magnitude, dtype).spelled
  }
}

/// `0.d₁d₂d₃… · 10^point`, d₁ not 0; no digits for 0.
private struct Decimal {
  var digits: [UInt8]
  var point: Int

  /// The fewest digits that `dtype` reads as this number.
  init(magnitude: Double, _ dtype: DType) {
    switch dtype {
    case .float64: self.init(spelling: magnitude.description)
    case .float32: self.init(spelling: Float(magnitude).description)
    default:
      // Narrower floats: the digits of float32, rounded to ever more of them.
      self.init(spelling: Float(magnitude).description)
      for count in digits.indices.dropFirst() {
        let shorter = rounded(to: count)
        let number = Double(shorter.spelled) ?? .nan
        guard Tensor(dtype, [1], [number]).doubles[0] == magnitude else { continue }
        self = shorter
        return
      }
    }
  }

  /// What Swift spells: `0.1`, `12.0`, `1e-07`, `1.5e+20`.
  private init(spelling: String) {
    let parts = spelling.utf8.split(separator: UInt8(ascii: "e"))
    let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let whole = mantissa[0].drop { $0 == UInt8(ascii: "0") }
    let all = Array(whole) + (mantissa.count > 1 ? Array(mantissa[1]) : [])
    let exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
    let zeros = all.prefix { $0 == UInt8(ascii: "0") }.count
    let trailing = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    digits = zeros == all.count ? [] : all[zeros..<all.count - trailing].map { $0 - UInt8(ascii: "0") }
    point = digits.isEmpty ? 0 : whole.count + exponent - zeros
  }

  /// With `count` digits, fewer than there are, rounded half up.
  private func rounded(to count: Int) -> Decimal {
    var result = self
    result.digits = Array(digits[..<count])
    guard digits[count] >= 5 else { return result.trimmed }
    var place = count - 1
    while place >= 0, result.digits[place] == 9 {
      result.digits[place] = 0
      place -= 1
    }
    if place >= 0 {
      result.digits[place] += 1
    } else {
      (result.digits, result.point) = ([1], point + 1)
    }
    return result.trimmed
  }

  private var trimmed: Decimal {
    var result = self
    while result.digits.last == 0 { result.digits.removeLast() }
    return result
  }

  var spelled: String {
    if digits.isEmpty { return "0" }
    let text = digits.map { String($0) }.joined()
    switch point {
    case -3...0: return "0." + String(repeating: "0", count: -point) + text
    case 1...16:
      if point >= digits.count { return text + String(repeating: "0", count: point - digits.count) }
      return "\(text.prefix(point)).\(text.dropFirst(point))"
    default:
      let exponent = point - 1
      let number = String(exponent.magnitude)
      let power = (exponent < 0 ? "-" : "+") + (number.count < 2 ? "0" : "") + number
      return digits.count == 1 ? "\(text)e\(power)" : "\(text.prefix(1)).\(text.dropFirst())e\(power)"
    }
  }
}

/// A real number made of sizes, `numerator / denominator`, and how well a float that was computed for it holds it.
///
/// What floats do is right for sizes up to 2¹⁴: their products with the small numbers that are taken for exact here fit
/// a float's 24 bits.
package struct Ratio: Hashable, Sendable {
  package enum Precision: Sendable {
    /// The float is the number.
    case exact
    /// The float is the quotient of two whole numbers, rounded once: what lies between two whole numbers stays there.
    case quotient
    /// The float lies within a millionth of the number, or what was rounded to whole numbers within 1 of it.
    case near
  }

  package private(set) var numerator: Dim, denominator: Dim
  package private(set) var precision: Precision

  package init(_ dim: Dim) { (numerator, denominator, precision) = (dim, 1, dim.isSaturated ? .near : .exact) }

  /// `nil` beyond 2²⁴, for NaN and for what is nearly 0.
  package init?(_ number: Double) {
    guard number.magnitude < 0x1p24, number == 0 || number.magnitude > 0x1p-16 else { return nil }
    var (scale, bits) = (1, 0)
    while Double(scale) * number != (Double(scale) * number).rounded(), bits < 24,
      (Double(scale) * number).magnitude < 0x1p24
    {
      (scale, bits) = (scale * 2, bits + 1)
    }
    let whole = Int((Double(scale) * number).rounded())
    self.init(Dim(whole), Dim(scale), Double(whole) == Double(scale) * number ? .exact : .near)
  }

  /// In lowest terms, as far as that is seen. `nil` when the divisor is 0, or numbers grow too large to count with.
  private init?(reducing numerator: Dim, _ denominator: Dim, _ precision: Precision) {
    guard denominator != 0 else { return nil }
    var (n, d) = (numerator, denominator)
    if let whole = n.exactQuotient(d) {
      (n, d) = (whole, 1)
    } else {
      (n, d) = n.cancelling(d)
    }
    guard (n.terms + d.terms).allSatisfy({ $0.coefficient.magnitude < 1 << 40 }) else { return nil }
    self.init(n, d, precision)
  }

  private init(_ numerator: Dim, _ denominator: Dim, _ precision: Precision) {
    (self.numerator, self.denominator) = (numerator, denominator)
    self.precision = precision
    if precision == .exact, numerator.constant == nil, !isShort { self.precision = .near }
  }

  /// Whether its numbers are so small that floats hold their products with sizes.
  package var isShort: Bool {
    (numerator.terms + denominator.terms).allSatisfy { $0.coefficient.magnitude <= 1 << 10 }
  }

  /// The whole number that this is.
  package var whole: Dim? { precision == .exact && denominator == 1 ? numerator : nil }

  /// Something that the float, rounded to a whole number in whatever way, never exceeds.
  package var limit: Dim { precision == .exact ? numerator.ceilDiv(denominator) : numerator.ceilDiv(denominator) + 2 }

  package func substituting(_ sizes: [String: Dim]) -> Ratio? {
    Ratio(reducing: numerator.substituting(sizes), denominator.substituting(sizes), precision)
  }
}

// MARK: Arithmetic

extension Ratio {
  package static func + (a: Ratio, b: Ratio) -> Ratio? {
    Ratio(
      reducing: a.numerator * b.denominator + b.numerator * a.denominator,
      a.denominator * b.denominator,
      both(a, b)
    )
  }
  package static func - (a: Ratio, b: Ratio) -> Ratio? { a + -b }
  package static prefix func - (a: Ratio) -> Ratio { Ratio(-a.numerator, a.denominator, a.precision) }

  package static func * (a: Ratio, b: Ratio) -> Ratio? {
    Ratio(reducing: a.numerator * b.numerator, a.denominator * b.denominator, both(a, b))
  }

  /// By what is never negative.
  package static func / (a: Ratio, b: Ratio) -> Ratio? {
    guard let result = Ratio(reducing: a.numerator * b.denominator, a.denominator * b.numerator, both(a, b)) else {
      return nil
    }
    guard result.precision == .exact, !result.denominator.isPowerOfTwo else { return result }
    return Ratio(result.numerator, result.denominator, .quotient)
  }

  /// The greater and the smaller, where both have one denominator.
  package func max(_ other: Ratio) -> Ratio? { combined(other, Dim.max) }
  package func min(_ other: Ratio) -> Ratio? { combined(other, Dim.min) }

  private func combined(_ other: Ratio, _ combine: (Dim, Dim) -> Dim) -> Ratio? {
    guard denominator == other.denominator else { return nil }
    return Ratio(combine(numerator, other.numerator), denominator, Ratio.both(self, other))
  }

  private static func both(_ a: Ratio, _ b: Ratio) -> Precision {
    a.precision == .exact && b.precision == .exact ? .exact : .near
  }
}

// MARK: Rounding

extension Ratio {
  package var floor: Ratio { precision == .near ? self : Ratio(numerator.floorDiv(denominator)) }
  package var ceil: Ratio { precision == .near ? self : Ratio(numerator.ceilDiv(denominator)) }
  /// To the nearest: what is whole but for the rounding of floats becomes that.
  package var nearest: Ratio {
    denominator == 1 ? Ratio(numerator) : Ratio(numerator, denominator, .near)
  }
}

extension Dim {
  fileprivate var isPowerOfTwo: Bool { constant.map { $0 > 0 && $0 & ($0 - 1) == 0 } ?? false }

  /// This and `divisor` without factors that all their terms share.
  fileprivate func cancelling(_ divisor: Dim) -> (Dim, Dim) {
    guard !terms.isEmpty else { return (0, 1) }
    let number = (terms + divisor.terms).reduce(0) { gcd($0, $1.coefficient) }
    var (n, d) = (dividing(by: number), divisor.dividing(by: number))
    for atom in divisor.terms[0].atoms {
      let factor = Dim(atom)
      guard let a = n.exactQuotient(factor), let b = d.exactQuotient(factor) else { continue }
      (n, d) = (a, b)
    }
    return (n, d)
  }

  private func dividing(by number: Int) -> Dim { number > 1 ? exactQuotient(Dim(number)) ?? self : self }
}

private func gcd(_ a: Int, _ b: Int) -> Int {
  var (a, b) = (abs(a), abs(b))
  while b != 0 { (a, b) = (b, a % b) }
  return a
}

import MLCCore

extension Ratio {
  /// Whether this is more than 0 whatever the sizes, none of them being 0.
  package var isPositive: Bool {
    guard let n = numerator.lowerBound, let d = denominator.lowerBound else { return false }
    return numerator != 0 && n >= 0 && d >= 0
  }

  /// Rounded toward zero.
  package var truncated: Ratio {
    if precision == .near { return self }
    if let low = numerator.lowerBound, low >= 0 { return floor }
    if let high = (-numerator).lowerBound, high >= 0 { return -(-self).floor }
    return denominator == 1 ? self : Ratio(numerator.truncatingDiv(denominator))
  }
}

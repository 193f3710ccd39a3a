import MLCCore

/// How a computed tensor differs from the expected one.
///
/// Differences are formed in Float64. Elements where both are finite enter the error measures; the others only have to
/// agree: NaN with NaN, infinity with infinity of the same sign.
package struct Comparison: Hashable, Sendable {
  package let count: Int
  /// `max |actual − expected|` over finite elements; 0 when there are none.
  package let maximumAbsoluteError: Double
  /// `max |actual − expected| / |expected|` over finite elements whose expected value is not 0.
  package let maximumRelativeError: Double
  /// The most representable numbers of the actual element type that lie between actual and expected value, the expected
  /// value rounded to that type first; `nil` for tensors that are not floating-point.
  package let maximumULP: UInt64?
  /// `10 · log₁₀(Σ expected² / Σ (actual − expected)²)` over finite elements: infinite without error, −infinite for an
  /// error where zeros were expected and where `nonFiniteMismatches` are.
  package let signalToNoise: Double
  /// Cosine of the angle between both as vectors of their finite elements; 1 when both are zero, 0 when one is.
  package let cosine: Double
  /// The share of rows along the last axis whose largest element stands at the same place (the first of equal ones, NaN
  /// before all); `nil` below rank 1, for rows shorter than 2 and for tensors without rows.
  package let argmaxAgreement: Double?
  /// Elements that are NaN or infinite on one side and not, or of the other sign, on the other.
  package let nonFiniteMismatches: Int
  /// Elements out of tolerance, `nonFiniteMismatches` among them.
  package let failures: Int
  /// The row-major position of the element that is furthest outside the tolerance.
  package let worstElement: Int?
  package let tolerance: Tolerance

  package var passed: Bool { failures == 0 }

  /// Compares element by element. The element types may differ, as when a float32 reference judges a float16 result.
  ///
  /// Throws `verify.shape` when shapes differ and `verify.dtype` when one tensor holds strings and the other does not.
  /// Strings are compared for equality; their error measures are those of equal tensors.
  package init(expected: Tensor, actual: Tensor, tolerance: Tolerance) throws(Diagnostic) {
    guard expected.shape == actual.shape else {
      throw Diagnostic("verify.shape", "expected \(expected.type), got \(actual.type)", kind: .mismatch)
    }
    guard (expected.dtype == .string) == (actual.dtype == .string) else {
      throw Diagnostic("verify.dtype", "expected \(expected.type), got \(actual.type)", kind: .mismatch)
    }
    self.init(
      measures: expected.dtype == .string
        ? Measures(strings: expected.strings, actual.strings)
        : Measures(expected, actual, tolerance),
      tolerance
    )
  }

  private init(measures m: Measures, _ tolerance: Tolerance) {
    count = m.count
    maximumAbsoluteError = m.maximumAbsolute
    maximumRelativeError = m.maximumRelative
    maximumULP = m.maximumULP
    if m.nonFiniteMismatches > 0 {
      signalToNoise = -.infinity
    } else {
      signalToNoise = m.noise == 0 ? .infinity : m.signal == 0 ? -.infinity : 10 * (m.signal / m.noise).log10
    }
    cosine = m.cosine
    argmaxAgreement = m.argmaxAgreement
    nonFiniteMismatches = m.nonFiniteMismatches
    failures = m.failures
    worstElement = m.worst?.position
    self.tolerance = tolerance
  }
}

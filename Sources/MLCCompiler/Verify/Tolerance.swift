import MLCCore
import MLCKernels

/// How far a computed element may lie from the expected one: `|actual − expected| ≤ absolute + relative · |expected|`.
package struct Tolerance: Hashable, Sendable {
  package var relative: Double
  package var absolute: Double
  /// Whether `absolute` counts in units of the root mean square of the expected tensor where that is above 1.
  package var scalesWithTensor = false

  package init(relative: Double, absolute: Double) { (self.relative, self.absolute) = (relative, absolute) }

  /// Same bits up to the sign of zero: what integers and booleans must meet.
  package static let exact = Tolerance(relative: 0, absolute: 0)

  /// The tolerance that follows from the element type and the longest reduction of a model.
  ///
  /// With `u` the unit round-off of the type that values are stored in (half its epsilon), `v` that of the type that
  /// sums are formed in (Float32, or Float64 for `fp64`) and `n` the terms of the longest sum:
  ///
  ///     relative = 64 · (u + v · √n)        absolute = relative / 16
  ///
  /// A sum of `n` terms in any order is off by at most `n · v` and, as round-offs are independent of each other and of
  /// either sign, by about `√n · v` of the terms' magnitude; storing a result adds `u`. The factor 64 stands for what
  /// the chain of layers multiplies this by: errors of up to a few thousand layers add up as a root as well (√4096 =
  /// 64). The absolute part stands for elements near zero that come from cancellation of terms of ordinary size: a
  /// sixteenth of the relative part of the tensor's root mean square, or of 1 where that is larger, is granted.
  /// Integers and booleans are exact. Source of the root law: N. J. Higham and T. Mary, "A new approach to
  /// probabilistic rounding error analysis", 2019.
  ///
  /// Where `sumsHalves`, sums of up to `c` terms are formed in Float16 before they are added to others
  /// (`RoundedFactors`): with `w` its unit round-off and each sum half as long on average as it becomes,
  ///
  ///     relative = 64 · (u + v · √n + w · √(c / 2))
  ///
  /// Floats of at most eight bits may be the next number of their type, where a value next to the middle rounded to the
  /// other side.
  package static func derived(dtype: DType, longestReduction: Int, sumsHalves: Bool = false) -> Tolerance {
    if let format = dtype.smallFloat {
      return Tolerance(relative: format.isSigned ? 2 * dtype.unitRoundOff! : 1, absolute: format.leastMagnitude)
    }
    guard let stored = dtype.unitRoundOff else { return .exact }
    let summed = dtype == .float64 ? DType.float64.unitRoundOff! : DType.float32.unitRoundOff!
    let terms = Double(max(longestReduction, 1)).squareRoot()
    let halves = Double(min(max(longestReduction, 1), RoundedFactors.stepsOfHalves)) / 2
    let begun = sumsHalves ? DType.float16.unitRoundOff! * halves.squareRoot() : 0
    let relative = 64 * (stored + summed * terms + begun)
    var tolerance = Tolerance(relative: relative, absolute: relative / 16)
    tolerance.scalesWithTensor = true
    return tolerance
  }

  /// This with an absolute part that is a plain number, for elements expected to be `expected`.
  package func resolved(for expected: [Double]) -> Tolerance {
    guard scalesWithTensor else { return self }
    var squares = 0.0
    var count = 0.0
    for value in expected where value.isFinite {
      squares += value * value
      count += 1
    }
    return Tolerance(relative: relative, absolute: absolute * max(1, (squares / max(count, 1)).squareRoot()))
  }

  /// The signal-to-noise ratio that a tensor whose root mean square is 1 or more must reach, in decibels:
  /// −20 · log₁₀(relative + absolute). Below it, one element at least is out of tolerance; infinite where results are
  /// exact.
  package var requiredSignalToNoise: Double { -20 * (relative + absolute).log10 }

  /// Equal numbers agree, infinities of one sign among them; NaN agrees with NaN.
  func accepts(expected: Double, actual: Double) -> Bool {
    if expected == actual || expected.isNaN && actual.isNaN { return true }
    guard expected.isFinite, actual.isFinite else { return false }
    return abs(actual - expected) <= absolute + relative * abs(expected)
  }
}

extension DType {
  /// Half the distance from 1 to the next larger number; `nil` for types that are not floating-point.
  package var unitRoundOff: Double? {
    switch self {
    case .float64: 0x1p-53
    case .float32: 0x1p-24
    case .float16: 0x1p-11
    case .bfloat16: 0x1p-8
    default: smallFloat.map { Double(sign: .plus, exponent: -1 - $0.mantissaBits, significand: 1) }
    }
  }
}

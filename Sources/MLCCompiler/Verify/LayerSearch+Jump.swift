import MLCCore

extension LayerSearch.Layer {
  /// What a value's error must exceed its operands' by to stand out: 64 times, 36 dB.
  package static let standOut = 64.0

  /// Whether the error jumps at this value, which `operands` are the floating-point operands of.
  ///
  /// It does where the value is out of tolerance; otherwise where its error is more than `standOut` times the largest
  /// error of its operands. The error of a tensor is its noise in units of its signal, 10^(−SNR/20); that of operands
  /// counts as no less than the unit round-off of the value's element type, which is what a sound operation leaves of
  /// exact operands. As large a factor as the tolerance has covers sums of 64² = 4096 terms. Where only zeros are
  /// expected there is no signal, and the tolerance alone decides.
  package func jumps(over operands: [LayerSearch.Layer]) -> Bool {
    if !comparison.passed { return true }
    guard comparison.signalToNoise.isFinite, let least = dtype.unitRoundOff else { return false }
    let before = operands.reduce(least) { max($0, $1.comparison.relativeNoise) }
    return comparison.relativeNoise > LayerSearch.Layer.standOut * before
  }

  /// The signal-to-noise ratio, in decibels, of an error of one unit round-off.
  var rounded: Double { dtype.unitRoundOff.map { -20 * $0.log10 } ?? .infinity }
}

extension Comparison {
  /// √(Σ (actual − expected)² / Σ expected²) over finite elements, which is 10^(−SNR/20).
  var relativeNoise: Double { Double.powerOfTen(-signalToNoise / 20) }
}

import MLCCore

/// How the signal-to-noise ratio of a function's outputs, in dB, differs from one set of inputs to the next.
struct DecibelSpread {
  /// The least; infinite without noise.
  let worst: Double
  /// The mean and the standard deviation.
  private let mean: Double, deviation: Double

  /// Of noise over signal, as powers, one for each set of inputs.
  init(noises: [Double]) {
    let all = noises.map { $0 == 0 ? Double.infinity : -10 * $0.log10 }
    worst = all.min() ?? .infinity
    // Without noise there is nothing that could grow.
    let some = all.filter { $0.isFinite }
    let mean = some.reduce(0, +) / Double(max(1, some.count))
    let squares = some.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    (self.mean, deviation) = (mean, (squares / Double(max(1, some.count - 1))).squareRoot())
  }

  /// How far above a floor the worst shall be, since other inputs may cost more: 3 dB, or two deviations where these
  /// are more.
  var margin: Double { max(3, 2 * deviation) }

  /// Whether other inputs can be expected to stay above `floor`: the worst does by 1.5 dB, and so does what is three
  /// deviations below the mean.
  func admits(_ floor: Double) -> Bool {
    worst == .infinity || (worst >= floor + 1.5 && mean - 3 * deviation >= floor)
  }
}

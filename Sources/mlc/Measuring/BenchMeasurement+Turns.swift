import MLCCore
import MLCPackage
import MLCRuntime

extension BenchMeasurement {
  /// Several predictions at a time, for as long as predictions one after another took, half a second at least.
  func concurrent(
    _ model: Model,
    _ inputs: [Tensor],
    _ concurrency: Int,
    after milliseconds: [Double]
  ) throws(Diagnostic) -> ConcurrentPredictions.Report {
    let time = Duration.milliseconds(max(500, milliseconds.reduce(0, +)))
    return try ConcurrentPredictions(model, inputs, concurrency: concurrency).run(warmup: warmup, time: time)
  }

  /// Measures `model` and the package at `other` in turn, on inputs drawn alike.
  func contest(
    _ model: Model,
    _ inputs: [Tensor],
    _ other: String,
    _ drivers: [any Driver]
  ) throws(Diagnostic) -> BenchReport.Contest {
    var measurement = self
    measurement.path = other
    let rival = try measurement.load(drivers, profiles: false).model
    let (otherInputs, _) = try measurement.inputs(rival.interface)
    let clock = ContinuousClock()
    var (milliseconds, otherMilliseconds): ([Double], [Double]) = ([], [])
    for turn in 0..<warmup + iterations {
      let start = clock.now
      _ = try model.predict(inputs)
      let middle = clock.now
      _ = try rival.predict(otherInputs)
      if turn < warmup { continue }
      milliseconds.append((middle - start).milliseconds)
      otherMilliseconds.append((clock.now - middle).milliseconds)
    }
    return BenchReport.Contest(
      path: other,
      precision: try PackageReader(path: path).manifest.precision,
      otherPrecision: try PackageReader(path: other).manifest.precision,
      milliseconds: milliseconds.quantile(0.5),
      otherMilliseconds: otherMilliseconds.quantile(0.5)
    )
  }
}

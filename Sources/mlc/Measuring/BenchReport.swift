import MLCCore
import MLCRuntime

/// What was measured of a package.
struct BenchReport {
  /// Two packages' predictions, measured in turn.
  struct Contest {
    var path: String
    /// What floating-point values are stored in; `nil` where they are what the model has.
    var precision: DType?, otherPrecision: DType?
    /// Medians, this package's and the other's.
    var milliseconds: Double, otherMilliseconds: Double
    var ratio: Double { milliseconds / otherMilliseconds }
    /// Whether the package is in fp16, the other is not, and that costs time rather than saves some.
    var isSlowerInHalf: Bool { precision == .float16 && otherPrecision != .float16 && ratio > 1.03 }
  }

  /// Loading again in the same process, and the first prediction then: medians.
  struct Reload {
    var preparation: Preparation
    var loadMilliseconds: Double, firstMilliseconds: Double
  }

  var preparation: Preparation
  /// Of the package that runs.
  var digest: String
  var target: String, threads: Int, sizes: [(name: String, value: Int)]
  /// What compiling the source model took; `nil` where this command did not.
  var sourceMilliseconds: Double?
  var loadMilliseconds: Double, firstMilliseconds: Double
  /// With the files in memory, and on the disk alone; `nil` where that was not measured or cannot be.
  var cached: Reload?, uncached: Reload?
  /// Of the package's files; `nil` where loading was not measured again.
  var fileBytes: Int?
  /// Resident before the model is loaded, once it is, and at most until predictions one after another end; `nil` where
  /// the system does not say.
  var startMegabytes: Double?, loadedMegabytes: Double?, peakMegabytes: Double = 0
  var milliseconds: [Double] = [], cpuMilliseconds: [Double] = []
  /// Milliseconds that this process was ready to run and did not, while predictions were measured; `nil` where the
  /// system does not say.
  var waitedMilliseconds: Double?
  /// Several predictions at a time; `nil` where nobody asked.
  var concurrent: ConcurrentPredictions.Report?
  var contest: Contest?
  var steps: [StepProfile] = []
  /// What the steps compute and move, in the same order.
  var costs: [StepCosts.Step] = []
  var order: StepOrder?
  /// What the machine can do at most; `nil` where nobody asked, or nothing measures that device.
  var peak: MachinePeak?

  /// What compiling took, of the source model or of the package for this machine; `nil` where it was compiled before.
  var compileMilliseconds: Double? {
    if case .prepared(_, let seconds) = preparation { return seconds * 1000 }
    return sourceMilliseconds
  }

  var median: Double { milliseconds.quantile(0.5) }
  var percentile95: Double { milliseconds.quantile(0.95) }
  /// Predictions a second, one after another.
  var perSecond: Double { Double(milliseconds.count) / milliseconds.reduce(0, +) * 1000 }

  /// Per cent of the time that the figures would not have on an idle machine; `nil` when it is next to nothing, or too
  /// little was measured to tell.
  var busy: Double? {
    let total = milliseconds.reduce(0, +)
    guard let waitedMilliseconds, total >= 10 else { return nil }
    let share = waitedMilliseconds / total * 100
    return share >= 5 ? Swift.min(share, 100) : nil
  }
}

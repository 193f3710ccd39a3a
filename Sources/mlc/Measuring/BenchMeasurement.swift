import MLCCore
import MLCPackage
import MLCRuntime

/// Measures a compiled package.
struct BenchMeasurement {
  var path: String
  var archive: String?
  var sizes: [String: Int]
  var seed: UInt64
  var threads: Int?, target: String?
  var demands: PackageDemands
  /// Where what is compiled from the package is kept.
  var cache: PackageCache? = .standard
  var iterations: Int, warmup: Int
  /// How many predictions run at a time where throughput is measured; `nil` where it is not.
  var concurrency: Int?
  var profiles: Bool
  /// Whether loading is measured again, with and without the files in memory.
  var reloads = false
  /// How kernels are ordered; `nil` as suits who reads them.
  var order: StepOrder?
  /// A package that is measured in turn with this one.
  var against: String?

  func run() throws(Diagnostic) -> BenchReport {
    let drivers = try DeviceFamily.drivers(threads: threads)
    let measured = try predictions(drivers)
    var report = measured.report
    if profiles { try profile(measured.inputs, drivers, &report) }
    // No model is loaded any more, so that nothing has the files open.
    if reloads {
      let pages = FilePages(try PackageReader.manifest(at: measured.path), at: measured.path)
      report.cached = try reload(drivers, measured.inputs) { true }
      report.uncached = try reload(drivers, measured.inputs) { pages.forget() }
      report.fileBytes = pages.bytes
    }
    return report
  }

  /// Loads the model and measures predictions: the report, and the inputs and the package that they were made with.
  private func predictions(
    _ drivers: [any Driver]
  ) throws(Diagnostic) -> (report: BenchReport, inputs: [Tensor], path: String) {
    // The figures' memory is there, every page of it, before anything is measured, so that it can be taken off what is
    // resident.
    var milliseconds = [Double](repeating: 0, count: iterations)
    var cpuMilliseconds = [Double](repeating: 0, count: iterations)
    let figures = Double(2 * iterations * MemoryLayout<Double>.stride) / 1e6
    let before = ProcessUsage.residentMegabytes
    let clock = ContinuousClock()
    let start = clock.now
    let (model, preparation) = try load(drivers, profiles: false)
    let loadTime = clock.now - start
    let loaded = ProcessUsage.residentMegabytes
    let (inputs, chosen) = try inputs(model.interface)
    let ready = clock.now
    _ = try model.predict(inputs)
    var report = BenchReport(
      preparation: preparation,
      digest: model.manifest.digest,
      target: model.selection.device,
      threads: drivers.map { $0.threads }.max() ?? 1,
      sizes: chosen,
      loadMilliseconds: loadTime.milliseconds,
      firstMilliseconds: (clock.now - ready).milliseconds,
      startMegabytes: before.map { $0 - figures },
      loadedMegabytes: loaded.map { $0 - figures }
    )
    for _ in 0..<warmup { _ = try model.predict(inputs) }
    report.waitedMilliseconds = try measure(model, inputs, &milliseconds, &cpuMilliseconds)
    report.peakMegabytes = ProcessUsage.peakMegabytes - figures
    (report.milliseconds, report.cpuMilliseconds) = (milliseconds, cpuMilliseconds)
    if let concurrency { report.concurrent = try concurrent(model, inputs, concurrency, after: milliseconds) }
    if let against { report.contest = try contest(model, inputs, against, drivers) }
    return (report, inputs, model.path)
  }

  /// One prediction for each element; how long this process waited for processors meanwhile.
  private func measure(
    _ model: Model,
    _ inputs: [Tensor],
    _ milliseconds: inout [Double],
    _ cpuMilliseconds: inout [Double]
  ) throws(Diagnostic) -> Double? {
    let clock = ContinuousClock()
    let waited = ProcessUsage.waitedMilliseconds
    for index in milliseconds.indices {
      let (begin, used) = (clock.now, ProcessUsage.cpuMilliseconds)
      _ = try model.predict(inputs)
      cpuMilliseconds[index] = ProcessUsage.cpuMilliseconds - used
      milliseconds[index] = (clock.now - begin).milliseconds
    }
    return ProcessUsage.waitedMilliseconds.flatMap { now in waited.map { now - $0 } }
  }

  /// What each kernel takes, computes and moves, and what the machine can do at most.
  private func profile(
    _ inputs: [Tensor],
    _ drivers: [any Driver],
    _ report: inout BenchReport
  ) throws(Diagnostic) {
    let model = try load(drivers, profiles: true).model
    for _ in 0..<iterations { _ = try model.predict(inputs) }
    report.steps = model.profile
    // What runs may be another package, compiled from this one.
    let package = try PackageReader(path: path)
    let costs = try StepCosts(package, model.interface, target: report.target, inputs: inputs).steps
    if costs.count == report.steps.count { report.costs = costs }
    report.order = order
    report.peak = MachinePeak(target: report.target, threads: report.threads)
  }
}

import MLCCompiler
import MLCCore
import MLCGraph
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
  var iterations: Int, warmup: Int
  var profiles: Bool
  /// How kernels are ordered; `nil` as suits who reads them.
  var order: StepOrder?
  /// A package that is measured in turn with this one.
  var against: String?

  /// Two packages' predictions, measured in turn.
  struct Contest {
    var path: String
    /// What floating-point values are stored in; `nil` where they are what the model has.
    var precision: DType?, otherPrecision: DType?
    /// Medians, this package's and the other's.
    var milliseconds: Double, otherMilliseconds: Double
    var ratio: Double { milliseconds / otherMilliseconds }
  }

  struct Report {
    var preparation: Preparation
    var target: String, threads: Int, sizes: [(name: String, value: Int)]
    var loadMilliseconds: Double, firstMilliseconds: Double, peakMegabytes: Double
    var milliseconds: [Double] = [], cpuMilliseconds: [Double] = []
    /// Milliseconds that this process was ready to run and did not, while predictions were measured; `nil` where the
    /// system does not say.
    var waitedMilliseconds: Double?
    var contest: Contest?
    var steps: [StepProfile] = []
    /// What the steps compute and move, in the same order.
    var costs: [StepCosts.Step] = []
    var order: StepOrder?
    /// What the machine can do at most; `nil` where nobody asked, or nothing measures that device.
    var peak: MachinePeak?
  }

  func run() throws(Diagnostic) -> Report {
    // The figures' memory is there, every page of it, before anything is measured, so that it can be taken off the
    // peak.
    var cpuMilliseconds = [Double](repeating: 0, count: iterations)
    var milliseconds = [Double](repeating: 0, count: iterations)
    let drivers = try DeviceFamily.drivers(threads: threads)
    let clock = ContinuousClock()
    let start = clock.now
    let (model, preparation) = try load(drivers, profiles: false)
    let loaded = clock.now
    let (inputs, chosen) = try inputs(model.interface)
    let ready = clock.now
    _ = try model.predict(inputs)
    var report = Report(
      preparation: preparation,
      target: model.selection.device,
      threads: drivers.map { $0.threads }.max() ?? 1,
      sizes: chosen,
      loadMilliseconds: (loaded - start).milliseconds,
      firstMilliseconds: (clock.now - ready).milliseconds,
      peakMegabytes: 0
    )
    for _ in 0..<warmup { _ = try model.predict(inputs) }
    let waited = ProcessUsage.waitedMilliseconds
    for index in 0..<iterations {
      let (begin, used) = (clock.now, ProcessUsage.cpuMilliseconds)
      _ = try model.predict(inputs)
      cpuMilliseconds[index] = ProcessUsage.cpuMilliseconds - used
      milliseconds[index] = (clock.now - begin).milliseconds
    }
    report.waitedMilliseconds = ProcessUsage.waitedMilliseconds.flatMap { now in waited.map { now - $0 } }
    report.peakMegabytes =
      ProcessUsage.peakMegabytes - Double(2 * iterations * MemoryLayout<Double>.stride) / 1e6
    (report.milliseconds, report.cpuMilliseconds) = (milliseconds, cpuMilliseconds)
    if let against { report.contest = try contest(model, inputs, against, drivers) }
    if profiles {
      let profiled = try load(drivers, profiles: true).model
      for _ in 0..<max(1, iterations) { _ = try profiled.predict(inputs) }
      report.steps = profiled.profile
      // What runs may be another package, compiled from this one.
      let costs = try StepCosts(PackageReader(path: path), model.interface, target: report.target, inputs: inputs).steps
      if costs.count == report.steps.count { report.costs = costs }
      report.order = order
      report.peak = MachinePeak(target: report.target, threads: report.threads)
    }
    return report
  }

  /// Measures `model` and the package at `other` in turn, on inputs drawn alike.
  private func contest(
    _ model: Model,
    _ inputs: [Tensor],
    _ other: String,
    _ drivers: [any Driver]
  ) throws(Diagnostic) -> Contest {
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
    return Contest(
      path: other,
      precision: try PackageReader(path: path).manifest.precision,
      otherPrecision: try PackageReader(path: other).manifest.precision,
      milliseconds: milliseconds.quantile(0.5),
      otherMilliseconds: otherMilliseconds.quantile(0.5)
    )
  }

  func load(
    _ drivers: [any Driver],
    profiles: Bool
  ) throws(Diagnostic) -> (model: Model, preparation: Preparation) {
    var options = Model.Options()
    (options.device, options.profiles) = (target, profiles)
    demands.apply(to: &options)
    return try Model.prepared(path: path, drivers: drivers, options: options)
  }

  /// From the archive, or drawn.
  func inputs(
    _ interface: FunctionInterface
  ) throws(Diagnostic) -> ([Tensor], [(name: String, value: Int)]) {
    if let archive { return (try InputFiles(archive: archive).tensors(for: interface.withStatesAsPorts), []) }
    // What the package says of its inputs is all that drawing them takes: a function without operations.
    var function = Function(interface.name)
    for port in interface.inputs { _ = function.addInput(port.name, port.type) }
    for symbol in interface.symbols { function.bounds[symbol.name] = symbol.range }
    function.enumerations = interface.enumerations
    let choice = try SizeChoice(function, wanted: sizes)
    return (try InputGenerator(function, sizes: choice.byName, seed: seed).inputs(), choice.sizes)
  }
}

extension BenchMeasurement.Report {
  var text: ConsoleText {
    var lines: [ConsoleText] = ["target \(target), \(threads.of("thread"))"]
    if !sizes.isEmpty { lines.append("sizes \(sizes.map { "\($0.name)=\($0.value)" }.joined(separator: " "))") }
    lines += [
      "",
      "load    \(loadMilliseconds.fixed(2)) ms (\(preparation.message))",
      "first   \(firstMilliseconds.fixed(2)) ms",
      "median  \(milliseconds.quantile(0.5).fixed(3)) ms",
      "p95     \(milliseconds.quantile(0.95).fixed(3)) ms",
      "cpu     \(cpuMilliseconds.quantile(0.5).fixed(3)) ms",
      "memory  \(peakMegabytes.fixed(1)) MB at most",
    ]
    if let contest {
      let other = "\(contest.otherMilliseconds.fixed(3)) ms: \(contest.path)"
      let here = contest.milliseconds.fixed(3)
      lines.append("against \(other), in turn with \(here) ms; ratio \(contest.ratio.fixed(3))")
      if contest.isSlowerInHalf {
        lines.append("\nnote: fp16 is slower here: it takes \(contest.ratio.fixed(2)) times what fp32 takes")
      }
    }
    if let busy {
      lines.append(
        "\nnote: the machine was busy: for \(busy.fixed(0)) % of the time predictions waited for a processor"
      )
    }
    let tables = steps.isEmpty ? [] : [stepTable] + (costs.isEmpty ? [] : [kindTable, operatorTable])
    return lines.joined(separator: "\n") + tables.map { "\n\n\($0)" }.joined(separator: "")
  }

  /// Per cent of the time that the figures would not have on an idle machine; `nil` when it is next to nothing, or too
  /// little was measured to tell.
  private var busy: Double? {
    let total = milliseconds.reduce(0, +)
    guard let waitedMilliseconds, total >= 10 else { return nil }
    let share = waitedMilliseconds / total * 100
    return share >= 5 ? Swift.min(share, 100) : nil
  }

  var json: JSON {
    return .object([
      "target": .string(target), "threads": .integer(threads),
      "sizes": .object(Dictionary(uniqueKeysWithValues: sizes.map { ($0.name, .integer($0.value)) })),
      "preparation": .string(preparation.word), "load_ms": .rounded(loadMilliseconds, 4),
      "first_ms": .rounded(firstMilliseconds, 4),
      "median_ms": .rounded(milliseconds.quantile(0.5), 4), "p95_ms": .rounded(milliseconds.quantile(0.95), 4),
      "ms": .array(milliseconds.map { .rounded($0, 6) }), "cpu_ms": .array(cpuMilliseconds.map { .rounded($0, 6) }),
      "rss_peak_mb": .rounded(peakMegabytes, 2), "ops": .array(opsJSON),
      "totals": totalsJSON, "machine": peak.map { $0.json } ?? .null,
      "against": contest.map { $0.json } ?? .null, "waited_ms": waitedMilliseconds.map { .rounded($0, 3) } ?? .null,
    ])
  }
}

extension BenchMeasurement.Contest {
  /// Whether the package is in fp16, the other is not, and that costs time rather than saves some.
  fileprivate var isSlowerInHalf: Bool { precision == .float16 && otherPrecision != .float16 && ratio > 1.03 }

  fileprivate var json: JSON {
    .object([
      "package": .string(path), "median_ms": .rounded(milliseconds, 4),
      "against_median_ms": .rounded(otherMilliseconds, 4), "ratio": .rounded(ratio, 4),
      "fp16_is_slower": .bool(isSlowerInHalf),
    ])
  }
}

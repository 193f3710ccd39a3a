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

  struct Report {
    var preparation: Preparation
    var target: String, threads: Int, sizes: [(name: String, value: Int)]
    var loadMilliseconds: Double, firstMilliseconds: Double, peakMegabytes: Double
    var milliseconds: [Double] = [], cpuMilliseconds: [Double] = []
    var steps: [StepProfile] = []
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
    for index in 0..<iterations {
      let (begin, used) = (clock.now, ProcessUsage.cpuMilliseconds)
      _ = try model.predict(inputs)
      cpuMilliseconds[index] = ProcessUsage.cpuMilliseconds - used
      milliseconds[index] = (clock.now - begin).milliseconds
    }
    report.peakMegabytes =
      ProcessUsage.peakMegabytes - Double(2 * iterations * MemoryLayout<Double>.stride) / 1e6
    (report.milliseconds, report.cpuMilliseconds) = (milliseconds, cpuMilliseconds)
    if profiles {
      let profiled = try load(drivers, profiles: true).model
      for _ in 0..<max(1, iterations) { _ = try profiled.predict(inputs) }
      report.steps = profiled.profile
    }
    return report
  }

  private func load(
    _ drivers: [any Driver],
    profiles: Bool
  ) throws(Diagnostic) -> (model: Model, preparation: Preparation) {
    var options = Model.Options()
    (options.device, options.profiles) = (target, profiles)
    demands.apply(to: &options)
    return try Model.prepared(path: path, drivers: drivers, options: options)
  }

  /// From the archive, or drawn.
  private func inputs(
    _ interface: FunctionInterface
  ) throws(Diagnostic) -> ([Tensor], [(name: String, value: Int)]) {
    if let archive { return (try InputFiles(archive: archive).tensors(for: interface.inputs), []) }
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
    return lines.joined(separator: "\n") + (steps.isEmpty ? "" : "\n\n\(stepTable)")
  }

  /// The slowest kernels first.
  private var stepTable: ConsoleText {
    let total = max(1, steps.reduce(0) { $0 + Double($1.nanoseconds) })
    var table = Table(["µs", "share", "kernel", "nodes"], right: [0, 1])
    for step in steps.sorted(by: { $0.nanoseconds > $1.nanoseconds }) where step.runs > 0 {
      table.add([
        (Double(step.nanoseconds) / Double(step.runs) / 1000).fixed(1),
        "\((Double(step.nanoseconds) / total * 100).fixed(1))%", step.step.kernel, step.step.nodes,
      ])
    }
    return table.text
  }

  var json: JSON {
    let rows: [JSON] = steps.filter { $0.runs > 0 }.map { step in
      .object([
        "kernel": .string(step.step.kernel), "nodes": .string(step.step.nodes),
        "us": .rounded(Double(step.nanoseconds) / Double(step.runs) / 1000, 3),
      ])
    }
    return .object([
      "target": .string(target), "threads": .integer(threads),
      "sizes": .object(Dictionary(uniqueKeysWithValues: sizes.map { ($0.name, .integer($0.value)) })),
      "preparation": .string(preparation.word), "load_ms": .rounded(loadMilliseconds, 4),
      "first_ms": .rounded(firstMilliseconds, 4),
      "median_ms": .rounded(milliseconds.quantile(0.5), 4), "p95_ms": .rounded(milliseconds.quantile(0.95), 4),
      "ms": .array(milliseconds.map { .rounded($0, 6) }), "cpu_ms": .array(cpuMilliseconds.map { .rounded($0, 6) }),
      "rss_peak_mb": .rounded(peakMegabytes, 2), "ops": .array(rows),
    ])
  }
}

import ArgumentParser
import MLCCore
import MLCRuntime

struct Bench: Command {
  static let configuration = CommandConfiguration(
    abstract: "Measures loading, first and further predictions, throughput, memory.",
    discussion: """
      Examples:
        mlc bench model.mlmodelc
        mlc bench model.mlmodelc --threads 1 --iterations 100 --ops
        mlc bench model.onnx --size width=320 --json
        mlc bench model.onnx --precision fp16
        mlc bench new.mlmodelc --against old.mlmodelc
        mlc bench model.mlmodelc --concurrency 8
        mlc bench model.mlmodelc --report report.html
        mlc bench model.mlmodelc --trace trace.json

      Without --inputs, inputs are seeded random numbers; open sizes get the numbers that --size gives, or small ones. \
      A source model is compiled for this machine first and then measured by a process of its own, so that what the \
      compiler used is not counted. With --precision fp16 it is measured against itself in fp32: not every machine is \
      faster with fp16.

      At the end the package is loaded again, some times with its files in memory ('cached') and some once the system \
      was asked to forget them ('uncached'), so that they are read from the disk, or whatever keeps files in its \
      place. A package made with --portable is compiled for this machine when it is loaded first; --no-cache has that \
      measured again.
      """
  )

  @Argument(help: "A compiled package, or a source model.", completion: .file()) var model: String
  @Option(help: ArgumentHelp("An archive with a tensor for each input.", valueName: "FILE.npz"), completion: .file())
  var inputs: String?
  @OptionGroup var sizes: SizeOptions
  @OptionGroup var threads: ThreadOptions
  @Option(help: ArgumentHelp("Predictions that are measured.", valueName: "N")) var iterations = 50
  @Option(help: ArgumentHelp("Predictions before those, the first one not counted.", valueName: "N")) var warmup = 5
  @Flag(
    help: ArgumentHelp(
      "Show what each kernel takes, computes and moves, beside what this machine can do at most: 'peak' is the share "
        + "of the operations that as many threads make when they do nothing else, with vectors as wide as the "
        + "target's and in the types that the kernel multiplies; 'memory' is the share of the bytes that they read "
        + "from memory. Tensors in a cache may come faster, and some algorithms multiply less often than the "
        + "definition."
    )
  )
  var ops = false
  @Option(
    help: ArgumentHelp(
      "Order kernels by 'time', the slowest first, or by 'execution'; without, tables are by "
        + "time, --json by execution.",
      valueName: "ORDER"
    )
  )
  var order: StepOrder?
  @Option(help: ArgumentHelp("Run the code for this device.", valueName: "NAME"), completion: .target)
  var target: String?
  @Option(
    help: ArgumentHelp(
      "Measure this compiled package too, each prediction in turn with the first one's, and give the ratio.",
      valueName: "PACKAGE"
    ),
    completion: .file()
  )
  var against: String?
  @Option(
    help: ArgumentHelp(
      "Measure throughput too, with this many predictions of the loaded model at a time.",
      valueName: "N"
    )
  )
  var concurrency: Int?
  @Option(
    help: ArgumentHelp(
      "Write a report: all of the figures, also what --ops and --concurrency give, as many at a time as this machine "
        + "has processors unless given.",
      valueName: "OUT.html"
    ),
    completion: .file()
  )
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Write what was done when to FILE, for Perfetto or Chrome's tracing: loading, predictions, kernels, memory.",
      valueName: "FILE"
    ),
    completion: .file()
  )
  var trace: String?
  @OptionGroup(title: "Precision, for a source model") var precision: PrecisionOption
  @Option(help: "Seed of generated inputs.") var seed: UInt64 = 0
  @Flag(help: "Print only the milliseconds of each prediction, as a JSON list.") var raw = false
  @OptionGroup var cache: CacheOptions
  @OptionGroup var origin: BenchOrigin
  @OptionGroup(title: "Compiled packages") var package: PackageOptions
  @OptionGroup(title: "Limits, for a source model") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    try checkCounts()
    let kind = try PathKind(model)
    _ = try (threads.count(), sizes.byName())
    if let inputs { try InputFiles.check(inputs) }
    if let report { try AtomicFile.check(report) }
    if let against, try PathKind(against) != .compiled {
      throw Diagnostic("bench.against", "--against takes a compiled package, which '\(against)' is not", kind: .usage)
    }
    guard kind == .compiled else {
      try package.demands.refuse(model)
      return try measureSource()
    }
    guard precision.precision == .fp32 else {
      throw Diagnostic(
        "bench.precision",
        "--precision is for a source model: what '\(model)' stores is settled",
        kind: .usage
      )
    }
    if let trace { try Trace.begin(writing: trace) }
    return try measurePackage()
  }

  private func checkCounts() throws(Diagnostic) {
    guard iterations > 0, warmup >= 0, (1...1024).contains(concurrency ?? 1) else {
      throw Diagnostic(
        "bench.count",
        "--iterations takes a number above 0, --warmup none below, --concurrency one from 1 to 1024",
        kind: .usage
      )
    }
  }

  private func measurePackage() throws(Diagnostic) -> Int32 {
    // What is compiled anew is not kept.
    let folder = cache.isOff ? try Temporary() : nil
    defer { withExtendedLifetime(folder) {} }
    var measurement = try measurement()
    if let folder { measurement.cache = PackageCache(folder: folder.path) }
    var result = try Trace.span("bench") { () throws(Diagnostic) in try measurement.run() }
    result.sourceMilliseconds = origin.compileMilliseconds
    if let report {
      let data = inputs.map { Provenance.Data.files(inputs: $0, expected: nil) } ?? .seed(seed)
      try result.writeHTML(to: report, provenance: Provenance(model: origin.source ?? model, data: data))
    }
    if raw {
      Console.result(JSON.array(result.milliseconds.map { .rounded($0, 6) }).line)
    } else if output.json {
      Console.result(result.json.line)
    } else {
      Console.result(result.text + (ops ? "\n\n" + result.stepText : ""))
    }
    return 0
  }

  private func measurement() throws(Diagnostic) -> BenchMeasurement {
    BenchMeasurement(
      path: model,
      archive: inputs,
      sizes: try sizes.byName(),
      seed: seed,
      threads: try threads.count(),
      target: target,
      demands: package.demands,
      iterations: iterations,
      warmup: warmup,
      concurrency: concurrency ?? (report == nil ? nil : CPU.coreCount),
      profiles: ops || report != nil,
      reloads: !raw || report != nil,
      order: order,
      against: against
    )
  }
}

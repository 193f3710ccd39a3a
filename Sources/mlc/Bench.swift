import ArgumentParser
import Foundation
import MLCCore
import MLCRuntime

struct Bench: Command {
  static let configuration = CommandConfiguration(
    abstract: "Measures loading, first and further predictions, memory.",
    discussion: """
      Examples:
        mlc bench model.mlmodelc
        mlc bench model.mlmodelc --threads 1 --iterations 100 --ops
        mlc bench model.onnx --size width=320 --json
        mlc bench model.onnx --precision fp16
        mlc bench new.mlmodelc --against old.mlmodelc
        mlc bench model.mlmodelc --trace trace.json

      Without --inputs, inputs are seeded random numbers; open sizes get the numbers that --size gives, or small ones. \
      A source model is compiled for this machine first and then measured by a process of its own, so that what the \
      compiler used is not counted. With --precision fp16 it is measured against itself in fp32: not every machine is \
      faster with fp16.
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
  @OptionGroup(title: "Compiled packages") var package: PackageOptions
  @OptionGroup(title: "Limits, for a source model") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    guard iterations > 0, warmup >= 0 else {
      throw Diagnostic("bench.count", "--iterations takes a number above 0, --warmup none below", kind: .usage)
    }
    let kind = try PathKind(model)
    _ = try (threads.count(), sizes.byName())
    if let inputs { try InputFiles.check(inputs) }
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
    let report = try Trace.span("bench") { () throws(Diagnostic) in try measurement().run() }
    if raw {
      Console.result(JSON.array(report.milliseconds.map { .rounded($0, 6) }).line)
    } else {
      Console.result(output.json ? report.json.line : report.text)
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
      profiles: ops,
      order: order,
      against: against
    )
  }

  /// Compiles the model, unless that was done before, and measures it in a child process.
  private func measureSource() throws(Diagnostic) -> Int32 {
    let bounds = try limits.limits()
    try ModelSource.check(targets: [target ?? "host"], time: bounds.time)
    let source = try ModelSource.load(model, limits: bounds)
    let targets = [target ?? "host"]
    let package = try CompiledSource(try precision.applied(to: source).source, targets: targets, cache: cache.cache)
    let isHalf = precision.precision == .fp16
    let full = isHalf && against == nil ? try CompiledSource(source, targets: targets, cache: cache.cache) : nil
    var arguments = [
      "bench", package.path, "--iterations", "\(iterations)", "--warmup", "\(warmup)", "--seed", "\(seed)",
    ]
    if let inputs { arguments += ["--inputs", inputs] }
    for size in sizes.sizes { arguments += ["--size", size] }
    if let threads = threads.threads { arguments += ["--threads", "\(threads)"] }
    if let other = against ?? full?.path { arguments += ["--against", other] }
    if ops { arguments.append("--ops") }
    if let order { arguments += ["--order", order.rawValue] }
    if let trace { arguments += ["--trace", trace] }
    if raw { arguments.append("--raw") }
    if output.json { arguments.append("--json") }
    // What is measured is what the user would have: nothing is confined.
    var limits = ChildLimits()
    limits.hasNetwork = true
    let environment = ProcessInfo.processInfo.environment
    var program = ChildProgram("/proc/self/exe", arguments, environment: environment, limits: limits)
    program.speaks = true
    defer { withExtendedLifetime((package, full)) {} }
    return try program.run().status
  }
}

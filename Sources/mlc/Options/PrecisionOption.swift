import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph
import MLCPasses

/// The element type that weights and intermediate tensors are stored in.
enum Precision: String, ExpressibleByArgument, CaseIterable {
  case fp32, fp16
}

struct PrecisionOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Store weights and intermediate tensors as fp32 or fp16. Arithmetic stays fp32; operations that fp16 cannot hold "
        + "on seeded or given inputs, or that cost the outputs too much, stay fp32 and are named.",
      valueName: "fp32|fp16"
    )
  )
  var precision = Precision.fp32

  /// `source` in this precision, as `apply` gives it.
  func applied(
    to source: ModelSource,
    inputs: PrecisionInputs? = nil,
    passes: PassPipeline = .standard
  ) throws(Diagnostic) -> (source: ModelSource, summary: PrecisionSummary) {
    let samples = try inputs?.samples(for: source.program.main)
    return try PrecisionOption.apply(precision, to: source, samples: samples, passes: passes)
  }

  /// `source` in `precision`, its graph optimised by `passes` when that is fp16, and what stays in fp32, which is also
  /// said on standard error in short. `samples` are for the main function; others are tried on seeded inputs, as it is
  /// without.
  static func apply(
    _ precision: Precision,
    to source: ModelSource,
    samples: HalfPrecision.Samples? = nil,
    passes: PassPipeline = .standard
  ) throws(Diagnostic) -> (source: ModelSource, summary: PrecisionSummary) {
    var summary = PrecisionSummary()
    guard precision == .fp16 else { return (source, summary) }
    var result = source
    let bar = ProgressBar()
    defer { bar.clear() }
    var half = HalfPrecision()
    (half.passes, half.budget) = (passes, source.budget)
    half.progress = { bar.show($0, $1) }
    for index in result.program.functions.indices {
      if let samples { half.samples = index == 0 ? samples : HalfPrecision().samples }
      summary.reports.append(try half.apply(to: &result.program.functions[index]))
    }
    bar.clear()
    for line in summary.lines(floor: half.floor) { Console.note("\(line)") }
    return (result, summary)
  }
}

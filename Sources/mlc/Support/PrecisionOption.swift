import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph

/// The element type that weights and intermediate tensors are stored in.
enum Precision: String, ExpressibleByArgument, CaseIterable {
  case fp32, fp16
}

struct PrecisionOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Store weights and intermediate tensors as fp32 or fp16. Arithmetic stays fp32; operations whose values leave the "
        + "range of fp16 on seeded inputs stay fp32 and are named.",
      valueName: "fp32|fp16"
    )
  )
  var precision = Precision.fp32

  /// `source` in this precision; what stays in fp32 is said on standard error.
  func applied(to source: ModelSource) throws(Diagnostic) -> ModelSource {
    try PrecisionOption.apply(precision, to: source)
  }

  /// `source` in `precision`; what stays in fp32 is said on standard error.
  static func apply(_ precision: Precision, to source: ModelSource) throws(Diagnostic) -> ModelSource {
    guard precision == .fp16 else { return source }
    var result = source
    for index in result.program.functions.indices {
      let hazards = try HalfPrecision.apply(to: &result.program.functions[index])
      for hazard in hazards { Console.note("stays fp32: \(hazard)") }
    }
    return result
  }
}

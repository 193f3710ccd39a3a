import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCKernels
import MLCRuntime

/// A training step and its loss as code for this machine.
struct BatchCode: TrainingCode {
  private let code: CompiledFunctions
  private var step: Model { code.models[0] }
  private var evaluation: Model { code.models[1] }
  private let evaluated: [Int]
  private let settings: [Tensor]
  var arenaBytes: Int? { code.arenaBytes }

  /// Throws what compiling and loading throw.
  init(
    _ functions: BatchFunctions,
    settings: [Tensor],
    _ compiler: Compiler,
    drivers: [any Driver]
  ) throws(Diagnostic) {
    code = try CompiledFunctions(functions.functions, compiler, drivers: drivers)
    evaluated = functions.evaluated
    self.settings = settings
  }

  func train(_ batch: [Tensor], _ states: inout [Tensor]) throws(Diagnostic) -> Double {
    try step.update(batch + settings, &states)[0].doubles[0]
  }

  func loss(_ batch: [Tensor], _ states: [Tensor]) throws(Diagnostic) -> Double {
    try evaluation.predict(batch + evaluated.map { states[$0] })[0].doubles[0]
  }
}

import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCKernels
import MLCRuntime

/// A training step and its loss as code for this machine.
struct BatchCode: TrainingCode {
  private let step: Model, evaluation: Model
  private let evaluated: [Int]
  private let settings: [Tensor]
  let arenaBytes: Int?
  /// The files that the code is mapped from.
  private let folder: Temporary

  /// Throws what compiling and loading throw.
  init(
    _ functions: BatchFunctions,
    settings: [Tensor],
    _ compiler: Compiler,
    drivers: [any Driver]
  ) throws(Diagnostic) {
    folder = try Temporary()
    let path = "\(folder.path)/training.mlmodelc"
    let report = try compiler.compile(Program(functions.functions), to: path)
    arenaBytes = report.targets.first?.arenaBytes
    step = try Model.load(path: path, drivers: drivers)
    var options = Model.Options()
    options.function = functions.evaluation.name
    evaluation = try Model.load(path: path, drivers: drivers, options: options)
    evaluated = functions.evaluated
    self.settings = settings
  }

  func train(_ batch: [Tensor], _ states: inout [Tensor]) throws(Diagnostic) -> Double {
    let results = try step.predict(batch + settings + states)
    states = Array(results.dropFirst())
    return results[0].doubles[0]
  }

  func loss(_ batch: [Tensor], _ states: [Tensor]) throws(Diagnostic) -> Double {
    try evaluation.predict(batch + evaluated.map { states[$0] })[0].doubles[0]
  }
}

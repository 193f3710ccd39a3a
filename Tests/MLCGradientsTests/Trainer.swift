import MLCCore
import MLCGradients
import MLCGraph

/// Runs a training step again and again, with what its states hold.
struct Trainer {
  let step: TrainingStep
  private let interpreter: Interpreter
  private(set) var states: [Tensor]

  init(_ step: TrainingStep) throws(Diagnostic) {
    self.step = step
    try step.function.verify()
    interpreter = Interpreter(step.function)
    states = step.initial.map { $0.contents }
  }

  /// The loss before the step.
  mutating func run(_ inputs: [Tensor], _ settings: [Double]) throws(Diagnostic) -> Double {
    let results = try interpreter.run(inputs + settings.map { .scalar(.float32, $0) } + states)
    states = Array(results.dropFirst())
    return results[0].doubles[0]
  }
}

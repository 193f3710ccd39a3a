import MLCCore
import MLCGradients
import MLCGraph
import MLCOps

/// What of a training step is compiled: the step, and the loss alone.
package struct TrainingFunctions: Sendable {
  package let step: TrainingStep
  /// The inputs of a model and the target, by name, in the order in which a step takes them.
  package let ports: [(name: String, type: TensorType)]
  /// From the inputs, the target and the parameters to the loss.
  let evaluation: Function
  /// The places of the parameters that `evaluation` takes among the states of a step.
  let evaluated: [Int]
  /// The first extent that all inputs have; `nil` where it is open.
  package let fixedBatch: Int?

  /// What the elements of the target may be.
  package let targetElements: TargetElements

  /// `targetName` is what the target is called in the data. Throws `update.states` for a model with states,
  /// `update.batch-axis` where inputs have no first axis of one extent, and what `TrainingStep` throws.
  package init(
    _ function: Function,
    parameters: Set<String>,
    _ options: TrainingStep.Options,
    targetName: String
  ) throws(Diagnostic) {
    guard function.states.isEmpty else {
      throw Diagnostic(
        "update.states",
        "a model with states is not trained: examples have no order",
        kind: .unsupported
      )
    }
    fixedBatch = try TrainingFunctions.batch(function)
    step = try TrainingStep(function, parameters: parameters, options)
    targetElements = TrainingFunctions.targetElements(function, options)
    let own = function.inputs.count
    let training = step.function
    ports = training.inputs[...own].enumerated().map { place, value in
      (place == own ? targetName : training[value].name, training.type(value))
    }
    let first = own + 1 + options.hyperparameters.count
    (evaluation, evaluated) = TrainingFunctions.evaluation(training, called: own + 1, states: first)
  }

  private static func targetElements(_ function: Function, _ options: TrainingStep.Options) -> TargetElements {
    let place = options.output.flatMap { function.outputNames.firstIndex(of: $0) } ?? 0
    return options.loss.targetElements(of: function.type(function.outputs[place]))
  }

  private static func batch(_ function: Function) throws(Diagnostic) -> Int? {
    let extents = function.inputs.map { function.type($0).shape.first }
    guard let first = extents.first ?? nil, extents.allSatisfy({ $0 == first }) else {
      let types = function.inputs.map { "'\(function[$0].name)' \(function.type($0))" }.joined(separator: ", ")
      let message = "all inputs need one first axis, that of the examples, of the same extent; they are \(types)"
      throw Diagnostic("update.batch-axis", message, kind: .unsupported)
    }
    return first.constant
  }

  /// What of `training` the loss takes. It is called with the first `called` values and with states, from the place
  /// `first` on.
  private static func evaluation(_ training: Function, called: Int, states first: Int) -> (Function, [Int]) {
    var result = training
    result.name = "evaluation"
    result.body.outputs = [training.outputs[0]]
    result.outputNames = [training.outputNames[0]]
    result.body.operations = training.body.operations(for: result.body.outputs)
    result.states = []
    let uses = Set(result.body.uses)
    let states = training.inputs[first...]
    let places = states.indices.filter { uses.contains(states[$0]) }
    result.inputs = training.inputs[..<called] + places.map { states[$0] }
    return (result, places.map { $0 - first })
  }
}

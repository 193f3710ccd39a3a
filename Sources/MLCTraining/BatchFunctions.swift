import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import MLCRuntime

/// A model whose inputs have a first axis of examples: a step of training, and the loss alone.
package struct BatchFunctions: TrainingFunctions {
  private let step: TrainingStep
  package let ports: [(name: String, type: TensorType)]
  /// From the inputs, the target and the parameters to the loss.
  let evaluation: Function
  /// The places of the parameters that `evaluation` takes among the states of a step.
  let evaluated: [Int]
  package let fixedBatch: Int?
  package let targetElements: TargetElements
  package let hyperparameters: [Hyperparameter]

  /// `targetName` is what the target is called in the data. `nil` where the inputs have no first axis of one extent.
  /// Throws `update.states` for a model with states, and what `TrainingStep` throws.
  package init?(
    _ function: Function,
    parameters: Set<String>,
    _ options: TrainingStep.Options,
    targetName: String
  ) throws(Diagnostic) {
    try function.checkHasNoStates()
    guard let batch = BatchFunctions.batch(function) else { return nil }
    fixedBatch = batch.constant
    hyperparameters = options.hyperparameters
    step = try TrainingStep(function, parameters: parameters, options)
    targetElements = BatchFunctions.targetElements(function, options)
    let own = function.inputs.count
    let training = step.function
    ports = training.inputs[...own].enumerated().map { place, value in
      (place == own ? targetName : training[value].name, training.type(value))
    }
    let first = own + 1 + options.hyperparameters.count
    (evaluation, evaluated) = BatchFunctions.evaluation(training, called: own + 1, states: first)
  }

  package var initial: [(name: String, contents: Tensor)] { step.initial }
  package var expanded: [String] { step.expanded }
  package var statistics: [String] { step.statistics }
  package var functions: [Function] { [step.function, evaluation] }

  package func code(_ settings: [Tensor], _ compiler: Compiler, drivers: [any Driver]) throws(Diagnostic)
    -> any TrainingCode
  {
    try BatchCode(self, settings: settings, compiler, drivers: drivers)
  }

  private static func targetElements(_ function: Function, _ options: TrainingStep.Options) -> TargetElements {
    let place = options.output.flatMap { function.outputNames.firstIndex(of: $0) } ?? 0
    return options.loss.targetElements(of: function.type(function.outputs[place]))
  }

  /// The first extent of all inputs, `nil` where they have none in common.
  private static func batch(_ function: Function) -> Dim? {
    let extents = function.inputs.map { function.type($0).shape.first }
    guard let first = extents.first ?? nil, extents.allSatisfy({ $0 == first }) else { return nil }
    return first
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

import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import MLCRuntime

/// A network that takes one example at a time: the gradients of an example, and the step by their sums.
package struct ExampleFunctions: TrainingFunctions {
  let gradients: Function, step: Function
  let network: Learning.Network
  /// Where targets are labels of classes.
  let labels: ClassLabels?
  package let ports: [(name: String, type: TensorType)]
  package let targetElements: TargetElements
  package let hyperparameters: [Hyperparameter]
  package let initial: [(name: String, contents: Tensor)]
  package let expanded: [String]

  package let fixedBatch: Int? = nil
  package let statistics: [String] = []
  package var functions: [Function] { [gradients, step] }

  /// `nil` for a program that has not the functions by which a network learns.
  package init?(_ program: Program, _ targetElements: TargetElements? = nil, expanded: [String] = []) {
    func function(_ name: String) -> Function? { program.functions.first { $0.name == name } }
    guard let source = program.learning, case .network(let network) = source.learning.method,
      let gradients = function(Learning.gradients), let step = function(Learning.step)
    else { return nil }
    (self.gradients, self.step, self.network, self.expanded) = (gradients, step, network, expanded)
    let given = gradients.inputs.count - 2 * network.weights.count
    let target = gradients.type(gradients.inputs[given - 1])
    let labels = ExampleFunctions.labels(source, program.main, target)
    self.labels = labels
    self.targetElements = targetElements ?? ExampleFunctions.elements(source, network, labels, target)
    let isLabelled = labels != nil
    ports = gradients.inputs.prefix(given).enumerated().map { place, input in
      let type = gradients.type(input)
      let isLabel = isLabelled && place == given - 1
      return (gradients[input].name, isLabel ? TensorType(.int32, ["examples"]) : type.counted)
    }
    hyperparameters = network.optimizer.settings.compactMap { key in
      source.learning.setting(key).map { Hyperparameter(key.rawValue, $0.value, $0.allowed.span) }
    }
    let states = step.inputs.dropFirst(1 + hyperparameters.count).dropLast(network.weights.count)
    let contents = program.main.parameterContents
    initial = states.enumerated().map { place, state in
      guard place < network.weights.count, let weight = contents[network.weights[place].parameter] else {
        let type = step.type(state)
        return (step[state].name, .zeros(type.dtype, type.staticShape ?? []))
      }
      return (network.weights[place].parameter, weight)
    }
  }

  /// The labels of classes that a target is one of. A package says only what type the target has.
  private static func labels(_ source: LearningSource, _ main: Function, _ target: TensorType) -> ClassLabels? {
    if case .label(let labels) = source.target { return labels }
    guard case .sample = source.target, let labels = main.features.classLabels else { return nil }
    return target.rank == 0 && target.dtype == labels.dtype ? labels : nil
  }

  private static func elements(
    _ source: LearningSource,
    _ network: Learning.Network,
    _ labels: ClassLabels?,
    _ target: TensorType
  ) -> TargetElements {
    guard case .sample = source.target else { return NetworkLearning(source, network).targetElements }
    if let labels { return .classes(labels.count) }
    return target.dtype.isInteger ? .classes(nil) : .numbers
  }

  package func code(_ settings: [Tensor], _ compiler: Compiler, drivers: [any Driver]) throws(Diagnostic)
    -> any TrainingCode
  {
    try ExampleCode(self, settings: settings, compiler, drivers: drivers)
  }

  /// The data with numbers of classes where the target is their labels. Numbers of classes may stand for labels that
  /// are texts. Throws `update.labels` for what is no label.
  package func numbered(_ archive: [(name: String, tensor: Tensor)]) throws(Diagnostic)
    -> [(name: String, tensor: Tensor)]
  {
    guard let labels, let place = archive.firstIndex(where: { $0.name == network.target }) else { return archive }
    let given = archive[place].tensor
    guard given.dtype == labels.dtype || given.dtype.isInteger && labels.dtype == .int64 else { return archive }
    let texts = given.dtype == .string ? given.strings : given.integers.map { "\($0)" }
    let places = Dictionary(labels.texts.enumerated().map { ($1, $0) }) { first, _ in first }
    var numbers: [Int] = []
    for (example, text) in texts.enumerated() {
      guard let number = places[text] else {
        throw Diagnostic("update.labels", "the label '\(text)' of example \(example) is none of the model's classes")
      }
      numbers.append(number)
    }
    var archive = archive
    archive[place].tensor = Tensor(.int32, given.shape, numbers)
    return archive
  }
}

extension Learning.Setting.Allowed {
  fileprivate var span: ClosedRange<Double> {
    switch self {
    case .range(let range): range
    case .values(let values): values[0]...values[values.count - 1]
    }
  }
}

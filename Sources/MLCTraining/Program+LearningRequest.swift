import MLCCore
import MLCGradients
import MLCGraph

/// A program that learns as it was asked to.
package struct RequestedLearning: Sendable {
  package let program: Program
  /// What the elements of targets may be.
  package let targetElements: TargetElements
  /// The names of the weights that were compressed or of another type than float32.
  package let expanded: [String]

  init(_ program: Program, _ targetElements: TargetElements, expanded: [String]) {
    (self.program, self.targetElements, self.expanded) = (program, targetElements, expanded)
  }
}

extension Program {
  /// The program with the weights of `request` as parameters and with the functions that updates call. How the model
  /// says that it learns gives way.
  ///
  /// Throws `update.functions` for a program of several functions, `update.states` for one with states,
  /// `update.target-name`, `update.setting`, `gradient.output`, `gradient.parameter`, `gradient.loss` and
  /// `gradient.unsupported`.
  package func learning(by request: LearningRequest) throws(Diagnostic) -> RequestedLearning {
    let own = withoutLearning()
    guard own.functions.count == 1 else {
      let message = "a model of \(own.functions.count) functions does not learn: they share what one would change"
      throw Diagnostic("update.functions", message, kind: .unsupported)
    }
    try own.main.checkHasNoStates()
    let constants = try TrainableConstants(own.main, request.weights)
    var program = own
    program.main = try constants.parameterized()
    var forward = try program.main.forward(to: request.options.output)
    try forward.free(request.target)
    let network = Learning.Network(
      request.loss,
      request.optimizer,
      target: request.target,
      weights: constants.weights.map { Learning.Weight($0.name, layer: $0.name, .weights) }
    )
    let source = LearningSource(
      Learning(.network(network), settings: try request.settings()),
      forward: forward,
      target: try request.target(of: forward.type(forward.outputs[0]))
    )
    let functions = NetworkLearning(
      source,
      network,
      request.options.loss,
      request.options.optimizer,
      fixed: try request.fixed()
    )
    program.learning = source
    program.functions += [try functions.gradients(), try functions.step()]
    return RequestedLearning(program, functions.targetElements, expanded: constants.expanded)
  }
}

extension Function {
  /// The function with only that output, or its first, as an array. Throws `gradient.output`.
  fileprivate func forward(to output: String?) throws(Diagnostic) -> Function {
    let result = try trainedOutput(output)
    var function = self
    (function.body.outputs, function.outputNames) = ([result], [self[result].name])
    function.body.operations = body.operations(for: [result])
    (function.features.outputs, function.features.classifier) = ([], nil)
    return function
  }

  /// Renames values called `name`, which another input will be. Throws `update.target-name` where an input is one.
  fileprivate mutating func free(_ name: String) throws(Diagnostic) {
    guard inputs.allSatisfy({ self[$0].name != name }) else {
      let message = "an input or a weight is called '\(name)' already; name the target otherwise with --target-name"
      throw Diagnostic("update.target-name", message, kind: .usage)
    }
    var taken = Set(values.map { $0.name })
    for place in values.indices where values[place].name == name { values[place].name = taken.addName(name) }
  }
}

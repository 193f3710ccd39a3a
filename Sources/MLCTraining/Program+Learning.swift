import MLCCore
import MLCGradients
import MLCGraph
import MLCOps

extension Program {
  /// The program with the functions that updates call, where it learns and has none yet. Throws what gradients throw:
  /// `gradient.unsupported`, `gradient.loss`.
  package func withLearning() throws(Diagnostic) -> Program {
    guard let learning, !functions.contains(where: { Learning.allFunctions.contains($0.name) }) else { return self }
    var program = self
    switch learning.learning.method {
    case .network(let network):
      program.functions += [
        try NetworkLearning(learning, network).gradients(),
        try NetworkLearning(learning, network).step(),
      ]
    case .neighbors: program.functions.append(learning.features)
    }
    return program
  }
}

extension LearningSource {
  /// The rows of samples as a function of the model's inputs.
  fileprivate var features: Function {
    var function = forward
    let held = Set(function.parameters.map { $0.input })
    function.name = Learning.features
    function.inputs = function.inputs.indices.filter { !held.contains($0) }.map { function.inputs[$0] }
    function.parameters = []
    return function
  }
}

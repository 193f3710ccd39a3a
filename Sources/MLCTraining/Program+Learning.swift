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
    case .neighbors: program.functions.append(NeighborFeatures.function(learning))
    }
    return program
  }

  /// The program with what it has learnt as constants, without the functions that updates call. The inputs of
  /// parameters have the sizes of what they hold.
  package func withoutLearning() -> Program {
    var program = self
    program.functions.removeAll { Learning.allFunctions.contains($0.name) }
    program.main.makeParametersConstant()
    program.learning = nil
    return program
  }
}

extension Function {
  fileprivate mutating func makeParametersConstant() {
    let places = Set(parameters.map { $0.input })
    for parameter in parameters.reversed() {
      let value = inputs[parameter.input]
      self[value].fact = Fact(parameter.contents)
      body.operations.insert(Operation(Const(parameter.contents), [], outputs: [value]), at: 0)
    }
    for place in states.indices { states[place].input -= places.count { $0 < states[place].input } }
    inputs = inputs.indices.filter { !places.contains($0) }.map { inputs[$0] }
    parameters = []
  }
}

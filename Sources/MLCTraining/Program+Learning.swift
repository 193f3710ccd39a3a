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
}

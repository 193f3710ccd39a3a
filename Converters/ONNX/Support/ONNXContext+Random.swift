import MLCCore
import MLCGraph
import MLCOps

extension ONNXContext {
  /// The first word is the bits of the attribute `seed`, the second 0, or the upper half of one that is an integer;
  /// without a seed both are a hash of the names of the node and of its result.
  func randomKey() throws(Diagnostic) -> RandomKey {
    switch node.attributes["seed"] {
    case .int(let seed): return RandomKey(seed: Int(seed))
    case nil: return RandomKey(name: "\(origin.node ?? "") \(node.output(0) ?? "")")
    default: return RandomKey(try node.float("seed", default: 0).bitPattern, 0)
    }
  }

  /// Tells the user that the node is in training mode, in which it does `what`.
  mutating func noteTraining(_ what: String) {
    notes.append("\(node.location): the model was exported for training; this node \(what)")
  }
}

import Dispatch

/// Computes nodes, off the caller's thread.
enum TensorEvaluator {
  /// Threads of their own: long work keeps no task of anybody else from running.
  private static let queue = DispatchQueue(label: "MLTensor", attributes: .concurrent)

  /// The node's elements.
  static func value(of node: TensorNode) async -> TensorValue {
    if let value = node.value { return value }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: compute(node)) }
    }
  }

  /// Computes the node and what it needs, on this thread and others.
  static func compute(_ node: TensorNode) -> TensorValue {
    while true {
      if let value = node.value { return value }
      var steps = TensorPlan.steps(for: node)
      for index in steps.indices {
        // What someone else is computing was waited for, and is there when the rest is planned again.
        guard let step = steps[index].take(), step.run() else { break }
      }
    }
  }
}

/// Computes nodes, off the caller's thread.
enum TensorEvaluator {
  /// As many at a time as there are cores, each of which divides its work among them.
  private static let work = WorkQueue(limit: Parallel.cores)

  /// The node's elements, also for a task that is cancelled.
  static func value(of node: TensorNode) async -> TensorValue {
    if let value = node.value { return value }
    return await work.finish { compute(node) }
  }

  /// The node's elements. Throws `CancellationError` where the task is cancelled before the work begins.
  static func valueUnlessCancelled(of node: TensorNode) async throws -> TensorValue {
    if let value = node.value { return value }
    return try await work.run { compute(node) }
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

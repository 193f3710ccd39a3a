import MLCCore

extension KernelProgram {
  /// Drops kernels whose results nothing reads. Sizes that reach the output shapes are kept by their `bindSize`.
  package mutating func removeDeadKernels() {
    var changed = true
    while changed {
      changed = false
      let readers = self.readers
      let filtered = prune(steps, readers: readers, changed: &changed)
      steps = filtered
    }
  }

  private func prune(_ steps: [Step], readers: [TensorID: Int], changed: inout Bool) -> [Step] {
    var kept: [Step] = []
    for step in steps {
      switch step {
      case .kernel(let kernel):
        let isLive = kernel.params.contains { param in
          guard param.access != .read else { return false }
          let others = readers[root(param.tensor), default: 0] - (param.access == .readWrite ? 1 : 0)
          return others > 0
        }
        if isLive { kept.append(step) } else { changed = true }
      case .branch(let condition, let a, let b):
        let (then, otherwise) = (
          prune(a, readers: readers, changed: &changed), prune(b, readers: readers, changed: &changed)
        )
        if then.isEmpty && otherwise.isEmpty {
          changed = true
        } else {
          kept.append(.branch(condition: condition, then: then, otherwise: otherwise))
        }
      case .bindSize, .setSize: kept.append(step)
      }
    }
    return kept
  }
}

import MLCCore

extension KernelProgram {
  /// Drops kernels whose results nothing reads. Sizes that reach the output shapes are kept by their `bindSize`.
  package mutating func removeDeadKernels() {
    var live = Set<TensorID>()
    for index in tensors.indices {
      if case .output = tensors[index].kind { live.insert(TensorID(index)) }
    }
    steps = pruned(steps, &live)
  }

  /// `steps` from the last to the first, with what they read added to `live`.
  private func pruned(_ steps: [Step], _ live: inout Set<TensorID>) -> [Step] {
    var kept: [Step] = []
    for step in steps.reversed() {
      switch step {
      case .kernel(let kernel):
        guard kernel.params.contains(where: { $0.access != .read && live.contains(root($0.tensor)) }) else { continue }
        for param in kernel.params where param.access != .write { live.insert(root(param.tensor)) }
        kept.append(step)
      case .branch(let condition, let a, let b):
        let (then, otherwise) = (pruned(a, &live), pruned(b, &live))
        if then.isEmpty && otherwise.isEmpty { continue }
        live.insert(root(condition))
        kept.append(.branch(condition: condition, then: then, otherwise: otherwise))
      case .bindSize(_, let tensor):
        live.insert(root(tensor))
        kept.append(step)
      case .setSize: kept.append(step)
      }
    }
    return kept.reversed()
  }
}

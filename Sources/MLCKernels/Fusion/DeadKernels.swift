import MLCCore

extension KernelProgram {
  /// Drops kernels whose results nothing reads. Sizes that data decides are kept by the steps that set them.
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
      case .loop(let loop) where !loop.sizes.isEmpty: break
      case .kernel, .loop: if !step.writes.contains(where: { live.contains(root($0)) }) { continue }
      case .branch, .bindSize, .setSize, .checkSizes: break
      }
      var step = step
      if case .loop(var loop) = step {
        live.formUnion(step.reads.map(root))
        loop.body = pruned(loop.body, &live)
        loop.head = pruned(loop.head, &live)
        live.formUnion(step.writes.map(root))
        step = .loop(loop)
      } else {
        step = step.mapBlocks { pruned($0, &live) }
        if case .branch = step, step.blocks.allSatisfy(\.isEmpty) { continue }
        live.formUnion(step.reads.map(root))
      }
      kept.append(step)
    }
    return kept.reversed()
  }
}

/// What computes one node, or several element-wise ones of which it is the last.
final class TensorStep {
  enum Work {
    case single(TensorWork, [TensorNode])
    case elementwise([ElementwiseGroup.Member])
  }

  private let node: TensorNode
  private let work: Work

  init(_ node: TensorNode, _ work: Work) { (self.node, self.work) = (node, work) }

  /// Computes the node unless it is. False when an operand is not there, since someone else is about to compute it.
  func run() -> Bool {
    if node.value != nil { return true }
    switch work {
    case .single(let work, let inputs): return run(work, inputs)
    case .elementwise(let members): return run(members)
    }
  }

  private func run(_ work: TensorWork, _ inputs: [TensorNode]) -> Bool {
    let values = inputs.compactMap { $0.value }
    guard values.count == inputs.count else {
      inputs.first { $0.value == nil }?.waitIfClaimed()
      return false
    }
    guard node.claim() else {
      node.wait()
      return true
    }
    if case .view = work {
      node.finish(values[0].memory)
      return true
    }
    let memory = TensorMemory(byteCount: node.count * node.kind.width)
    let output = TensorValue(memory: memory, shape: node.shape, kind: node.kind)
    if node.count > 0 {
      switch work {
      case .fill(let lane): fill(output, lane)
      case .kernel(let kernel): kernel.run(values, output)
      case .view, .elementwise: preconditionFailure("no work of a single node")
      }
    }
    node.finish(memory)
    return true
  }

  private func run(_ members: [ElementwiseGroup.Member]) -> Bool {
    guard var group = ElementwiseGroup(members, shape: node.shape) else { return false }
    guard node.claim() else {
      node.wait()
      return true
    }
    let kept = members.filter { $0.isKept && ($0.node === node || $0.node.claim()) }.map { $0.node }
    let memories = kept.map { TensorMemory(byteCount: $0.count * $0.kind.width) }
    if node.count > 0 { group.run(kept, memories) }
    for (node, memory) in zip(kept, memories) { node.finish(memory) }
    return true
  }
}

extension TensorNode {
  /// Waits for who computes this node; not at all where nobody does.
  func waitIfClaimed() { if isBeingComputed { wait() } }
}

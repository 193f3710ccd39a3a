import MLCCore

extension KernelProgram {
  /// Runs kernels that only write outputs as soon as what they read is there, so that this need not be kept until
  /// other outputs are computed: a step of training updates each weight beside its gradient.
  package mutating func advanceOutputs() { steps = advanced(steps) }

  private func advanced(_ steps: [Step]) -> [Step] {
    var result: [Step] = []
    result.reserveCapacity(steps.count)
    for step in steps {
      let step = step.mapBlocks(advanced)
      result.insert(step, at: writesOutputs(step) ? earliest(step, in: result) : result.count)
    }
    return result
  }

  private func writesOutputs(_ step: Step) -> Bool {
    guard case .kernel = step else { return false }
    return step.writes.allSatisfy { if case .output = self[root($0)].kind { true } else { false } }
  }

  /// Behind the last of `steps` that writes what `step` reads, touches what it writes, the state before it included, or
  /// is no kernel.
  private func earliest(_ step: Step, in steps: [Step]) -> Int {
    let written = Set(step.writes.map(root)).union(statesBefore(step))
    let touched = written.union(step.reads.map(root))
    let barrier = steps.lastIndex { other in
      guard case .kernel = other else { return true }
      return other.writes.contains { touched.contains(root($0)) } || other.reads.contains { written.contains(root($0)) }
    }
    return barrier.map { $0 + 1 } ?? 0
  }

  /// The inputs that hold what the states have before `step` writes them.
  private func statesBefore(_ step: Step) -> [TensorID] {
    let places = step.writes.map { self[root($0)].kind }
    return states.filter { state in
      places.contains { if case .output(state.output) = $0 { true } else { false } }
    }.flatMap { state in
      tensors.indices.filter { if case .input(state.input) = tensors[$0].kind { true } else { false } }.map(
        TensorID.init
      )
    }
  }
}

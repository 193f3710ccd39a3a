import MLCCore

/// The memory that steps touch: tensors that are no aliases, in order.
struct Uses {
  private(set) var tensors: Set<TensorID> = []
  private(set) var written: [TensorID] = []

  init(_ program: KernelProgram, _ steps: Range<Int>) {
    var seen: Set<TensorID> = []
    KernelProgram.walk(Array(program.steps[steps])) { step in
      for tensor in step.reads { tensors.insert(program.root(tensor)) }
      for tensor in step.writes {
        let root = program.root(tensor)
        tensors.insert(root)
        if seen.insert(root).inserted { written.append(root) }
      }
    }
  }
}

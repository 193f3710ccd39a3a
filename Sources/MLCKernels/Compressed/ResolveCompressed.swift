import MLCCore

extension KernelProgram {
  /// Leaves compressed constants only where `target` multiplies by them as they are.
  ///
  /// Loop nests look up each element that they load. Everything else gets the elements written out, which a remark says
  /// with the user's node: `compile.expanded-weight`. Throws `kernel.invalid`.
  package mutating func resolveCompressed(for target: some Target) throws(Diagnostic) {
    guard tensors.contains(where: { if case .compressed = $0.kind { true } else { false } }) else { return }
    var pass = ResolveCompressed(program: self, obstacle: { target.acceptance(of: $0, in: $1).obstacle })
    pass.program.steps = pass.rewritten(steps)
    self = pass.program
    try verify(after: "compressed weights")
  }

  /// The compressed constant behind a tensor, if it is one.
  package func compressed(_ id: TensorID) -> CompressedConstant? {
    if case .compressed(let constant) = self[root(id)].kind { return constant }
    return nil
  }

  /// Notes that a weight grew because its elements are stored one by one.
  mutating func remarkExpanded(_ name: String, from old: Int, to new: Int, because reason: String, at node: Location) {
    guard new > old else { return }
    let remark = Diagnostic(
      "compile.expanded-weight",
      "'\(name)' takes \(new) bytes instead of \(old): \(reason)",
      severity: .note,
      at: node
    )
    if !remarks.contains(remark) { remarks.append(remark) }
  }
}

private struct ResolveCompressed {
  var program: KernelProgram
  let obstacle: (Kernel, KernelProgram) -> Diagnostic?
  private var parts: [TensorID: CompressedParts] = [:]
  private var expanded: [TensorID: TensorID] = [:]

  init(program: KernelProgram, obstacle: @escaping (Kernel, KernelProgram) -> Diagnostic?) {
    (self.program, self.obstacle) = (program, obstacle)
  }

  mutating func rewritten(_ steps: [KernelProgram.Step]) -> [KernelProgram.Step] {
    var result: [KernelProgram.Step] = []
    for step in steps {
      switch step {
      case .kernel(let kernel): result.append(.kernel(resolved(kernel)))
      case .branch, .loop, .bindSize, .setSize, .checkSizes: result.append(step.mapBlocks { rewritten($0) })
      }
    }
    return result
  }

  private mutating func resolved(_ kernel: Kernel) -> Kernel {
    var kernel = kernel
    guard !compressed(kernel).isEmpty else { return kernel }
    switch kernel.body {
    case .loopNest:
      decodeLoads(&kernel)
      for position in compressed(kernel) {
        expand(position, of: &kernel, because: "its elements are not looked up one by one")
      }
    case .attention:
      for position in compressed(kernel) { expand(position, of: &kernel, because: "attention reads whole tensors") }
    case .routine(let routine):
      for position in compressed(kernel) where position != routine.codes {
        expand(position, of: &kernel, because: "'\(routine.name)' reads whole tensors")
      }
      guard !compressed(kernel).isEmpty, let problem = obstacle(kernel, program) else { break }
      for position in compressed(kernel) { expand(position, of: &kernel, because: problem.message) }
    case .matmul, .convolution:
      let read = Set(kernel.scalars.flatMap { $0.loads.map(\.param) })
      for position in compressed(kernel) where read.contains(position) {
        expand(position, of: &kernel, because: "it is added to a product")
      }
      guard !compressed(kernel).isEmpty, let problem = obstacle(kernel, program) else { break }
      let reason = problem.notes.first { $0.contains("codes") } ?? problem.notes.first ?? problem.message
      for position in compressed(kernel) { expand(position, of: &kernel, because: reason) }
    }
    return kernel
  }

  private func compressed(_ kernel: Kernel) -> [Int] {
    kernel.params.indices.filter { program.compressed(kernel.params[$0].tensor) != nil }
  }

  // MARK: Single elements

  private mutating func decodeLoads(_ kernel: inout Kernel) {
    var found: [Int: CompressedParts] = [:]
    for position in compressed(kernel) { found[position] = part(kernel.params[position].tensor) }
    var params = kernel.params
    let shapes = kernel.params.map { program[$0.tensor].shape }
    kernel.rewriteScalars { node in
      guard case .load(let p, let index) = node, let part = found[p] else { return node }
      let shape = part.constant.shape.map { Dim($0) }
      guard let place = shape == shapes[p] ? index : ReshapeMap.indices(of: shape, from: index, over: shapes[p]) else {
        return node
      }
      return part.element(at: place, &params)
    }
    kernel.params = params
    kernel.dropUnusedParams()
  }

  private mutating func part(_ tensor: TensorID) -> CompressedParts? {
    let root = program.root(tensor)
    if let known = parts[root] { return known }
    guard let constant = program.compressed(root) else { return nil }
    parts[root] = CompressedParts(program[root].name, constant, in: &program)
    return parts[root]
  }

  // MARK: Whole tensors

  private mutating func expand(_ position: Int, of kernel: inout Kernel, because reason: String) {
    let tensor = kernel.params[position].tensor
    guard let constant = program.compressed(tensor) else { return }
    let root = program.root(tensor)
    program.remarkExpanded(
      program[root].name,
      from: constant.byteCount,
      to: constant.count * constant.dtype.bitWidth / 8,
      because: reason,
      at: kernel.origins.first ?? Location()
    )
    if expanded[root] == nil {
      var plain = program[root]
      plain.kind = .constant(constant.expanded())
      expanded[root] = program.add(plain)
    }
    let (source, shape) = (expanded[root]!, program[tensor].shape)
    guard shape != program[source].shape else {
      kernel.params[position].tensor = source
      return
    }
    // Constants under another shape stay constants: strategies pack them.
    guard case .constant(let value) = program[source].kind, let extents = program[tensor].type.staticShape else {
      return
    }
    kernel.params[position].tensor = program.add(
      KernelTensor(program[tensor].name, value.dtype, shape, .constant(value.reshaped(extents)))
    )
  }
}

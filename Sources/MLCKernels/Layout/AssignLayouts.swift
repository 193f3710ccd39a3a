import MLCCore

extension KernelProgram {
  /// Chooses blocked layouts for the tensors around convolutions and inserts the reorders that remain.
  ///
  /// Convolutions read and write `NCHWc` with c = `target`'s block; a first layer reads few channels in place, and what
  /// is taken in no blocks stays plain. Maps between them keep the layout. A blocked tensor has the halo that the
  /// widest-padded convolution reading it needs; one that pads it with another number reads it plain.
  package mutating func assignLayouts(for target: any Target) {
    var pass = AssignLayouts(self, target)
    self = pass.run()
  }
}

private struct AssignLayouts {
  var program: KernelProgram
  let target: any Target
  let block: Int
  /// Tensors that may be blocked: rank 4 or 5, in the arena, used by convolutions and loop nests alone.
  private var candidates: Set<TensorID> = []
  private var blocked: Set<TensorID> = []
  private var halos: [TensorID: Layout.Blocked] = [:]
  /// Inputs whose convolutions are faster where all of their tensors are plain.
  private var fasterPlain: Set<TensorID> = []
  /// What the first padded convolution to read a tensor has in its padding.
  private var fills: [TensorID: Int] = [:]
  /// Copies in the other layout, by the tensor: blocked ones of plain tensors and the reverse.
  private var copies: [TensorID: TensorID] = [:]

  init(_ program: KernelProgram, _ target: any Target) {
    (self.program, self.target, block) = (program, target, target.block)
  }

  mutating func run() -> KernelProgram {
    collectCandidates()
    collectFills()
    collectFasterPlain()
    seed()
    while propagate() {}
    computeHalos()
    for id in blocked { program[id].layout = .blocked(halos[id] ?? Layout.Blocked(block: block)) }
    program.steps = rewritten(program.steps)
    return program
  }

  // MARK: Which convolutions

  /// How the tensors of a convolution are to lie. A first layer reads few channels that nothing else wants blocked, or
  /// what the target takes in no other blocks. Groups of fewer channels than blocks would pad stay plain where they are
  /// alone, and so does what is computed in blocks no faster than it would be moved there.
  private func form(_ c: Convolution, _ kernel: Kernel) -> ConvolutionForm {
    let x = kernel.params[c.x].tensor
    func takes(_ form: ConvolutionForm) -> Bool { target.takes(kernel, as: form, in: program) }
    guard let channels = program[x].shape[1].constant, !c.isPadded || c.fill == fills[x] else { return .plain }
    let isFree = !blocked.contains(x)
    if isFree, c.groups == 1, channels < block, takes(.plainInput) {
      return isBestPlain(c, kernel) && takes(.plain) ? .plain : .plainInput
    }
    if isFree, c.groups > 1, 2 * channels <= block, isPlainAnyway(kernel.params[c.output].tensor), takes(.plain) {
      return .plain
    }
    if takes(.blocked) { return isFree && fasterPlain.contains(x) ? .plain : .blocked }
    return isFree && takes(.plainInput) ? .plainInput : .plain
  }

  /// Whether blocks of a convolution's result would be reordered.
  private func isPlainAnyway(_ output: TensorID) -> Bool { !candidates.contains(output) }

  /// Whether a first layer had better write its result plain: one that has to be plain, and that blocks would pad, or
  /// that takes longer to move than to compute.
  private func isBestPlain(_ c: Convolution, _ kernel: Kernel) -> Bool {
    let output = kernel.params[c.output].tensor
    guard isPlainAnyway(output), let filters = program[output].shape[1].constant else { return false }
    // Weights that are codes stay so in blocks alone.
    if case .compressed = program[program.root(kernel.params[c.weight].tensor)].kind { return false }
    let products = program[kernel.params[c.weight].tensor].shape[1...].reduce(1, *)
    return !filters.isMultiple(of: block) || products.constant.map { $0 <= 16 } ?? false
  }

  // MARK: Which tensors

  private mutating func collectCandidates() {
    candidates = Set(
      program.tensors.indices.map(TensorID.init).filter { id in
        guard case .temporary = program[id].kind else { return false }
        guard Layout.Blocked.ranks.contains(program[id].shape.count), let channels = program[id].shape[1].constant
        else { return false }
        // Few bytes of a pixel are made in vectors where they lie plain, and moved as they are.
        let areBytes = [.int8, .uint8].contains(program[id].dtype)
        return program[id].dtype.isVectorFloat || areBytes && channels >= 8
      }
    )
    for tensor in program.tensors {
      if case .alias(let target) = tensor.kind { candidates.remove(program.root(target)) }
    }
    KernelProgram.walk(program.steps) { step in
      if case .kernel = step { return }
      for tensor in step.reads + step.writes { candidates.remove(tensor) }
    }
    KernelProgram.forEachKernel(program.steps) { kernel in
      switch kernel.body {
      case .matmul, .attention, .routine: for param in kernel.params { candidates.remove(param.tensor) }
      case .loopNest(let nest):
        for case .store(let param, let index, let axes, _) in nest.stages
        where !keepsBlocks(index, nest.axes + axes) { candidates.remove(kernel.params[param].tensor) }
      case .convolution: break
      }
    }
  }

  /// Whether a store walks whole channel blocks: its channel is an axis plus a multiple of the block.
  private func keepsBlocks(_ index: [Index], _ axes: [Axis]) -> Bool {
    guard Layout.Blocked.ranks.contains(index.count), let channel = index[1].affine, channel.coefficients.count <= 1,
      let offset = channel.rest.constant, offset.isMultiple(of: block)
    else { return false }
    guard let (id, step) = channel.coefficients.first else { return true }
    guard step == 1, let axis = axes.first(where: { $0.id == id }), let extent = axis.extent.constant else {
      return false
    }
    // A writer of part of the channels must end where a block ends, unless nothing comes after it.
    return extent.isMultiple(of: block) || index.indices.filter { $0 != 1 }.allSatisfy { !index[$0].mentions(id) }
  }

  private mutating func collectFills() {
    KernelProgram.forEachKernel(program.steps) { kernel in
      guard case .convolution(let c) = kernel.body, c.isPadded else { return }
      let x = kernel.params[c.x].tensor
      fills[x] = fills[x] ?? c.fill
    }
  }

  private mutating func collectFasterPlain() {
    var readers: [TensorID: [Kernel]] = [:]
    KernelProgram.forEachKernel(program.steps) { kernel in
      guard case .convolution(let c) = kernel.body else { return }
      readers[kernel.params[c.x].tensor, default: []].append(kernel)
    }
    for (x, kernels) in readers
    where target.areFasterPlain(kernels, in: program, arePlain: { !candidates.contains($0) }) { fasterPlain.insert(x) }
  }

  private mutating func seed() {
    KernelProgram.forEachKernel(program.steps) { kernel in
      guard case .convolution(let c) = kernel.body, form(c, kernel) != .plain else { return }
      if candidates.contains(kernel.params[c.output].tensor) { blocked.insert(kernel.params[c.output].tensor) }
    }
    KernelProgram.forEachKernel(program.steps) { kernel in
      guard case .convolution(let c) = kernel.body, form(c, kernel) == .blocked else { return }
      for position in kernel.blockedOperands(.blocked, in: program) ?? [] {
        let tensor = kernel.params[position].tensor
        if candidates.contains(tensor) { blocked.insert(tensor) }
      }
    }
  }

  /// Maps that read a blocked tensor write one, if they may. True when something changed.
  private mutating func propagate() -> Bool {
    var isChanged = false
    KernelProgram.forEachKernel(program.steps) { kernel in
      guard case .loopNest(let nest) = kernel.body else { return }
      let reads = kernel.params.contains { $0.access == .read && blocked.contains($0.tensor) }
      guard reads else { return }
      for case .store(let param, _, _, _) in nest.stages {
        let tensor = kernel.params[param].tensor
        if candidates.contains(tensor), blocked.insert(tensor).inserted { isChanged = true }
      }
    }
    return isChanged
  }

  private mutating func computeHalos() {
    KernelProgram.forEachKernel(program.steps) { kernel in
      guard case .convolution(let c) = kernel.body, form(c, kernel) == .blocked else { return }
      let id = kernel.params[c.x].tensor
      var halo = halos[id] ?? Layout.Blocked(block: block)
      let own = c.halo(block: block)
      if c.isPadded { halo.fill = own.fill }
      (halo.top, halo.bottom) = (max(halo.top, own.top), max(halo.bottom, own.bottom))
      (halo.left, halo.right) = (max(halo.left, own.left), max(halo.right, own.right))
      halos[id] = halo
    }
  }

  // MARK: Reorders

  private mutating func rewritten(_ steps: [KernelProgram.Step]) -> [KernelProgram.Step] {
    var result: [KernelProgram.Step] = []
    for step in steps {
      switch step {
      case .kernel(let kernel):
        switch kernel.body {
        case .convolution(let c): result += convolution(c, kernel)
        case .loopNest(let nest): result += self.nest(nest, kernel)
        case .matmul, .attention, .routine: result.append(step)
        }
      case .branch, .loop, .bindSize, .setSize, .checkSizes:
        let outer = copies
        result.append(
          step.mapBlocks { block in
            copies = outer
            return rewritten(block)
          }
        )
        copies = outer
      }
    }
    return result
  }

  /// The nest, which reads plain copies of what its rows cross.
  private mutating func nest(_ nest: LoopNest, _ kernel: Kernel) -> [KernelProgram.Step] {
    var kernel = kernel
    let steps = copy(&kernel, crossed(nest, kernel), inBlocks: false)
    return steps + [.kernel(kernel)]
  }

  /// The blocked operands of a nest that makes plain rows, unless both rows and channels are what its stages' own loops
  /// run along: vectors of the one would be gathered from the other.
  private func crossed(_ nest: LoopNest, _ kernel: Kernel) -> [Int] {
    let rows = nest.stages.compactMap { stage -> Bool? in
      guard case .store(let p, let index, let axes, _) = stage, let axis = axes.last,
        !blocked.contains(kernel.params[p].tensor)
      else { return nil }
      return index.last?.mentions(axis.id) ?? false
    }
    if rows.isEmpty { return [] }
    var found: Set<Int> = []
    for stage in nest.stages {
      guard let axis = stage.axes.last else { continue }
      stage.value.visitNodes { node in
        guard case .load(let p, let index) = node, blocked.contains(kernel.params[p].tensor),
          kernel.params[p].access == .read
        else { return }
        if rows.contains(false) || !index[1].mentions(axis.id) { found.insert(p) }
      }
    }
    return found.sorted()
  }

  /// The convolution with operands as its form wants them, and the copies it needs before and after it.
  private mutating func convolution(_ c: Convolution, _ kernel: Kernel) -> [KernelProgram.Step] {
    let form = form(c, kernel)
    let inBlocks = form != .plain
    let positions =
      inBlocks
      ? kernel.blockedOperands(form, in: program) ?? []
      : kernel.params.indices.filter { kernel.params[$0].access == .read }
    var kernel = kernel
    let steps = copy(&kernel, positions, inBlocks: inBlocks)
    let target = kernel.params[c.output].tensor
    if blocked.contains(target) == inBlocks { return steps + [.kernel(kernel)] }
    let result = temporary(like: target, inBlocks: inBlocks, halo: nil)
    kernel.params[c.output].tensor = result
    return steps + [.kernel(kernel), .kernel(reorder(from: result, to: target, kernel.origins))]
  }

  /// Makes `kernel` read copies of those of its operands at `positions` that lie otherwise; the copies that are new.
  private mutating func copy(_ kernel: inout Kernel, _ positions: [Int], inBlocks: Bool) -> [KernelProgram.Step] {
    var steps: [KernelProgram.Step] = []
    for position in positions where blocked.contains(kernel.params[position].tensor) != inBlocks {
      let source = kernel.params[position].tensor
      if copies[source] == nil {
        let copy = temporary(like: source, inBlocks: inBlocks, halo: halos[source])
        steps.append(.kernel(reorder(from: source, to: copy, kernel.origins)))
        copies[source] = copy
      }
      kernel.params[position].tensor = copies[source]!
    }
    return steps
  }

  private mutating func temporary(like id: TensorID, inBlocks: Bool, halo: Layout.Blocked?) -> TensorID {
    let (name, suffix) = (program[id].name, inBlocks ? "blocked" : "plain")
    var tensor = KernelTensor("\(name).\(suffix)", program[id].dtype, program[id].shape, .temporary)
    if inBlocks { tensor.layout = .blocked(halo ?? Layout.Blocked(block: block)) }
    return program.add(tensor)
  }

  private func reorder(from source: TensorID, to target: TensorID, _ origins: [Location]) -> Kernel {
    let shape = program[target].shape
    let indices = shape.indices.map { Index.axis($0) }
    let store = LoopNest.Stage.store(param: 1, index: indices, axes: [], value: .load(param: 0, indices))
    let nest = LoopNest(shape.enumerated().map { Axis($0, $1) }, [store])
    return Kernel("reorder", [.init(source, .read), .init(target, .write)], .loopNest(nest), origins: origins)
  }
}

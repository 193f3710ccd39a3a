import MLCCore

/// How the tensors of a convolution lie, from which a target chooses what it takes.
enum ConvolutionForm: CaseIterable {
  /// Input and output in blocks of channels.
  case blocked
  /// A plain input of few channels; the output in blocks.
  case plainInput
  /// Every tensor plain.
  case plain
}

extension Kernel {
  /// The parameters of this convolution that have to lie in blocks, besides its output: the input unless it is plain,
  /// and what the epilogue reads channel by channel in a rank that has blocks; none where all is plain. `nil` when the
  /// input has to be both.
  func blockedOperands(_ form: ConvolutionForm, in program: KernelProgram) -> [Int]? {
    guard case .convolution(let c) = body else { return nil }
    var positions: Set<Int> = []
    for load in c.epilogue.loads where Layout.Blocked.ranks.contains(load.index.count) && load.index[1] == .axis(1) {
      if !program[params[load.param].tensor].isConstant { positions.insert(load.param) }
    }
    switch form {
    case .blocked: positions.insert(c.x)
    case .plainInput: if positions.contains(c.x) { return nil }
    case .plain: return []
    }
    return positions.sorted()
  }
}

extension KernelProgram {
  /// The excerpt of a convolution whose tensors lie as `form` says, in blocks of `block` channels.
  func excerpt(of kernel: Kernel, _ form: ConvolutionForm, block: Int) -> (kernel: Kernel, program: KernelProgram)? {
    guard case .convolution(let c) = kernel.body, let operands = kernel.blockedOperands(form, in: self) else {
      return nil
    }
    var (alone, program) = excerpt(of: kernel)
    if form == .plain { return (alone, program) }
    for position in operands + [c.output] {
      let layout = position == c.x ? c.halo(block: block) : Layout.Blocked(block: block)
      var tensor = program[alone.params[position].tensor]
      (tensor.kind, tensor.layout) = (.temporary, .blocked(layout))
      alone.params[position].tensor = program.add(tensor)
    }
    return (alone, program)
  }
}

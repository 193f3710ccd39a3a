import MLCCore

extension Target {
  /// Elements in a block of channels.
  var block: Int { device.lanes }

  /// Whether it takes `kernel` in layouts that it can be given.
  func takes(_ kernel: Kernel, in program: KernelProgram) -> Bool {
    answers(kernel, in: program).contains { $0.obstacle == nil }
  }

  /// Whether it takes `kernel`, which a fusion makes, and still uses vectors. Loop nests are taken whatever they
  /// compute. A convolution that is taken in blocks with another epilogue has to be so with this one.
  func takesFused(_ kernel: Kernel, in program: KernelProgram) -> Bool {
    switch kernel.body {
    case .loopNest, .routine: return true
    case .convolution(var convolution):
      let blocked = ConvolutionForm.allCases.filter { $0 != .plain }
      if blocked.contains(where: { takes(kernel, as: $0, in: program) }) { return true }
      guard takes(kernel, as: .plain, in: program) else { return false }
      var (bare, sums) = (kernel, program)
      sums[kernel.params[convolution.output].tensor].dtype = kernel.accumulatorType(in: program)
      convolution.epilogue = .accumulator
      bare.body = .convolution(convolution)
      bare.dropUnusedParams()
      return !blocked.contains { takes(bare, as: $0, in: sums) }
    case .matmul, .attention:
      return answers(kernel, in: program).contains { if case .vectors = $0 { true } else { false } }
    }
  }

  /// Whether it takes a convolution whose tensors lie as `form` says.
  func takes(_ kernel: Kernel, as form: ConvolutionForm, in program: KernelProgram) -> Bool {
    guard let (alone, program) = program.excerpt(of: kernel, form, block: block) else { return false }
    return acceptance(of: alone, in: program).obstacle == nil
  }

  private func answers(_ kernel: Kernel, in program: KernelProgram) -> [Acceptance] {
    guard case .convolution = kernel.body else {
      let (alone, program) = program.excerpt(of: kernel)
      return [acceptance(of: alone, in: program)]
    }
    return ConvolutionForm.allCases.compactMap { form in
      program.excerpt(of: kernel, form, block: block).map { acceptance(of: $0.kernel, in: $0.program) }
    }
  }
}

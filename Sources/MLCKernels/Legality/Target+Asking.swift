import MLCCore

extension Target {
  /// Elements in a block of channels.
  var block: Int { device.lanes }

  /// Whether it takes `kernel` in layouts that it can be given.
  func takes(_ kernel: Kernel, in program: KernelProgram) -> Bool {
    answers(kernel, in: program).contains { $0.obstacle == nil }
  }

  /// Whether it takes `kernel`, which a fusion makes, and still uses vectors. Loop nests are taken whatever they
  /// compute.
  func takesFused(_ kernel: Kernel, in program: KernelProgram) -> Bool {
    switch kernel.body {
    case .loopNest, .routine: return true
    case .matmul, .convolution, .attention:
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

import MLCCore

extension Target {
  /// Whether convolutions that read the same input, and are taken in blocks, take fewer cycles where their tensors are
  /// plain, what it costs to move them counted: in blocks those that `arePlain` whatever convolutions want, and when
  /// plain results that others may want in blocks. False where the target knows no cycles, and where a weight is codes,
  /// which stay so in blocks alone.
  func areFasterPlain(_ kernels: [Kernel], in program: KernelProgram, arePlain: (TensorID) -> Bool) -> Bool {
    var saved = 0.0
    for (number, kernel) in kernels.enumerated() {
      guard case .convolution(let c) = kernel.body, c.groups == 1, !hasCodes(c, kernel, program) else { return false }
      let (x, output) = (kernel.params[c.x].tensor, kernel.params[c.output].tensor)
      guard arePlain(x) || arePlain(output), let plain = cycles(of: kernel, as: .plain, in: program),
        let blocked = cycles(of: kernel, as: .blocked, in: program)
      else { return false }
      if number == 0, arePlain(x) { saved += cyclesOfReorder(program[x].shape) }
      saved += blocked - plain + cyclesOfReorder(program[output].shape) * (arePlain(output) ? 1 : -1)
    }
    return saved > 0
  }

  private func hasCodes(_ c: Convolution, _ kernel: Kernel, _ program: KernelProgram) -> Bool {
    if case .compressed = program[program.root(kernel.params[c.weight].tensor)].kind { true } else { false }
  }

  private func cycles(of kernel: Kernel, as form: ConvolutionForm, in program: KernelProgram) -> Double? {
    program.excerpt(of: kernel, form, block: block).flatMap { cycles(of: $0.kernel, in: $0.program) }
  }

  /// Each vector is read, turned with as many others as it has elements, and written; sizes that are not known count as
  /// 64.
  private func cyclesOfReorder(_ shape: [Dim]) -> Double {
    let blocks = ((shape[1].constant ?? 64) + block - 1) / block
    let pixels = (shape[..<1] + shape[2...]).reduce(1.0) { $0 * Double($1.constant ?? 64) }
    return Double(blocks) * pixels * 4
  }
}

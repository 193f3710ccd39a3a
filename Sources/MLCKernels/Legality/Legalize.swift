import MLCCore

extension KernelProgram {
  /// Divides kernels that `target` does not take: an epilogue becomes a kernel of its own, and a contraction that is
  /// refused without one a loop nest. What is refused then has a type or a routine that the target lacks.
  ///
  /// Before layouts are `areLaidOut`, a convolution may stay that is taken in some layout.
  mutating func legalize(for target: some Target, areLaidOut: Bool) {
    var pass = Legalize(program: self) { kernel, program in
      guard areLaidOut else { return target.takes(kernel, in: program) }
      let (alone, program) = program.excerpt(of: kernel)
      return target.acceptance(of: alone, in: program).obstacle == nil
    }
    pass.program.steps = pass.rewritten(steps)
    self = pass.program
  }
}

private struct Legalize {
  var program: KernelProgram
  let takes: (Kernel, KernelProgram) -> Bool

  mutating func rewritten(_ steps: [KernelProgram.Step]) -> [KernelProgram.Step] {
    var result: [KernelProgram.Step] = []
    for step in steps {
      switch step {
      case .kernel(let kernel): result += divided(kernel).map { .kernel($0) }
      case .branch, .loop, .bindSize, .setSize, .checkSizes: result.append(step.mapBlocks { rewritten($0) })
      }
    }
    return result
  }

  private mutating func divided(_ kernel: Kernel) -> [Kernel] {
    switch kernel.body {
    case .loopNest, .routine, .attention: return [kernel]
    case .matmul, .convolution: break
    }
    if takes(kernel, program) { return [kernel] }
    guard let (bare, rest) = withoutEpilogue(kernel) else { return asLoops(kernel) }
    return takes(bare, program) ? [bare, rest] : asLoops(kernel)
  }

  /// A contraction as a reduction. The input of a convolution gets its padding before, so that the loops ask no
  /// position whether there is an element, and have vectors.
  private mutating func asLoops(_ kernel: Kernel) -> [Kernel] {
    switch kernel.body {
    case .matmul(let matmul):
      let areBytes = program[kernel.params[matmul.lhs.param].tensor].dtype.bitWidth == 8
      return [
        Kernel(kernel.family, kernel.params, .loopNest(matmul.nest(ofBytes: areBytes)), origins: kernel.origins)
      ]
    case .loopNest, .routine, .attention: return [kernel]
    case .convolution(var c):
      let padding = c.spans.map { (low: Dim($0.low), high: Dim($0.high)) }
      if padding.allSatisfy({ $0.low == 0 && $0.high == 0 }) { return [kernel.convolutionAsLoopNest(in: program)] }
      let given = kernel.params[c.x].tensor
      let x = program[given]
      let nest = LoopNest.padding(padding, around: x.shape, x.dtype, fill: c.fill)
      let place = program.add(KernelTensor("\(x.name).padded", x.dtype, nest.axes.map(\.extent), .temporary))
      let pad = Kernel("pad", [.init(given, .read), .init(place, .write)], .loopNest(nest), origins: kernel.origins)
      var rest = kernel
      c.x = rest.params.count
      rest.params.append(.init(place, .read))
      (c.top, c.bottom, c.left, c.right) = (0, 0, 0, 0)
      c.depth?.front = 0
      c.depth?.back = 0
      rest.body = .convolution(c)
      rest = rest.convolutionAsLoopNest(in: program)
      rest.dropUnusedParams()
      return [pad, rest]
    }
  }

  /// The contraction alone, which stores its sums, and the loop nest that makes the results of them; `nil` when there
  /// is nothing besides the contraction.
  private mutating func withoutEpilogue(_ kernel: Kernel) -> (Kernel, Kernel)? {
    var (bare, sums) = (kernel, KernelTensor("", kernel.accumulatorType(in: program), [], .temporary))
    let (axes, target, value): ([Axis], Matmul.Access, Scalar)
    switch kernel.body {
    case .matmul(var matmul):
      (axes, target, value) = (matmul.batch + [matmul.m, matmul.n], matmul.output, matmul.epilogue)
      (matmul.output.index, matmul.epilogue) = (axes.map { .axis($0.id) }, .accumulator)
      bare.body = .matmul(matmul)
    case .convolution(var convolution):
      let output = program[kernel.params[convolution.output].tensor]
      axes = output.shape.enumerated().map { Axis($0, $1) }
      (target, value) = (.init(convolution.output, axes.map { .axis($0.id) }), convolution.epilogue)
      convolution.epilogue = .accumulator
      bare.body = .convolution(convolution)
      if case .blocked(let layout) = output.layout { sums.layout = .blocked(.init(block: layout.block)) }
    case .loopNest, .routine, .attention: return nil
    }
    let stored = program[kernel.params[target.param].tensor]
    if value == .accumulator, stored.dtype == sums.dtype { return nil }
    (sums.name, sums.shape) = ("\(stored.name).sums", axes.map(\.extent))
    let place = program.add(sums)
    bare.params[target.param] = .init(place, .write)
    bare.dropUnusedParams()
    var rest = kernel
    rest.params.append(.init(place, .read))
    let load = Scalar.load(param: kernel.params.count, axes.map { .axis($0.id) })
    let result = value.rewritten { if case .accumulator = $0 { load } else { $0 } }
    rest.body = .loopNest(LoopNest(axes, [.store(param: target.param, index: target.index, axes: [], value: result)]))
    rest.dropUnusedParams()
    return (bare, rest)
  }
}

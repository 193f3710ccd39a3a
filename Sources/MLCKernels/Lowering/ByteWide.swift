import MLCCore

extension KernelProgram {
  /// Gives elements of fewer than eight bits that the program computes a byte each, as kernels store them: temporaries
  /// get the `byteWide` type, and outputs are packed from such temporaries at the end. What is stored is wrapped or
  /// rounded to the narrow type. Inputs and constants stay packed; routines get copies of them.
  mutating func storeInBytes() {
    var pass = ByteWide(program: self)
    pass.widenTensors()
    pass.program.steps = pass.rewritten(steps) + pass.packing
    self = pass.program
  }
}

private struct ByteWide {
  var program: KernelProgram
  /// The narrow type of each tensor that got bytes.
  private var narrow: [TensorID: DType] = [:]
  private(set) var packing: [KernelProgram.Step] = []

  init(program: KernelProgram) { self.program = program }

  mutating func widenTensors() {
    for id in program.tensors.indices.map(TensorID.init) where program[id].dtype.isPacked {
      let dtype = program[id].dtype
      switch program[program.root(id)].kind {
      case .input, .constant, .compressed, .alias: continue
      case .output, .temporary: break
      }
      if case .output = program[id].kind {
        let packed = program.add(program[id])
        program[id].kind = .temporary
        program[id].name += ".bytes"
        packing.append(pack(id, as: packed))
      }
      narrow[id] = dtype
      program[id].dtype = dtype.byteWide
    }
  }

  private func pack(_ bytes: TensorID, as packed: TensorID) -> KernelProgram.Step {
    let count = program[packed].shape.reduce(1, *)
    let params: [Kernel.Param] = [.init(bytes, .read), .init(packed, .write)]
    return .kernel(Kernel("pack", params, .routine(.pack(count: count)), origins: []))
  }

  mutating func rewritten(_ steps: [KernelProgram.Step]) -> [KernelProgram.Step] {
    var result: [KernelProgram.Step] = []
    for step in steps {
      switch step {
      case .kernel(let kernel): result += rewritten(kernel)
      case .branch, .loop, .bindSize, .setSize, .checkSizes: result.append(step.mapBlocks { rewritten($0) })
      }
    }
    return result
  }

  private mutating func rewritten(_ kernel: Kernel) -> [KernelProgram.Step] {
    var kernel = kernel
    func dtype(_ param: Int) -> DType? { narrow[kernel.params[param].tensor] }
    func fitted(_ value: Scalar, _ param: Int) -> Scalar { dtype(param).map { .cast(value, $0) } ?? value }
    switch kernel.body {
    case .loopNest(var nest):
      nest.stages = nest.stages.map { stage in
        guard case .store(let param, let index, let axes, let value) = stage else { return stage }
        return .store(param: param, index: index, axes: axes, value: fitted(value, param))
      }
      kernel.body = .loopNest(nest)
    case .matmul(var matmul):
      matmul.epilogue = fitted(matmul.epilogue, matmul.output.param)
      kernel.body = .matmul(matmul)
    case .convolution(var convolution):
      convolution.epilogue = fitted(convolution.epilogue, convolution.output)
      kernel.body = .convolution(convolution)
    case .attention: break
    case .routine: return unpacked(kernel)
    }
    return [.kernel(kernel)]
  }

  /// A routine with the nests that copy its packed operands before it, and that wrap its results behind it.
  private mutating func unpacked(_ kernel: Kernel) -> [KernelProgram.Step] {
    var (kernel, before, after) = (kernel, [KernelProgram.Step](), [KernelProgram.Step]())
    for (place, param) in kernel.params.enumerated() {
      let tensor = program[param.tensor]
      if tensor.dtype.isPacked {
        let name = "\(tensor.name).bytes"
        let copy = program.add(KernelTensor(name, tensor.dtype.byteWide, tensor.shape, .temporary))
        before.append(copied(param.tensor, to: copy, as: tensor.dtype, kernel.origins))
        kernel.params[place].tensor = copy
      } else if param.access != .read, let dtype = narrow[param.tensor] {
        after.append(copied(param.tensor, to: param.tensor, as: dtype, kernel.origins))
      }
    }
    return before + [.kernel(kernel)] + after
  }

  private func copied(_ source: TensorID, to target: TensorID, as dtype: DType, _ origins: [Location])
    -> KernelProgram.Step
  {
    let shape = program[target].shape
    let index = shape.indices.map { Index.axis($0) }
    var params = KernelParams()
    let value = Scalar.cast(params.load(source, index), dtype)
    let store = LoopNest.Stage.store(param: params.write(target), index: index, axes: [], value: value)
    let nest = LoopNest(shape.enumerated().map { Axis($0, $1) }, [store])
    return .kernel(Kernel("bytes", params.params, .loopNest(nest), origins: origins))
  }
}

import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCTargetC
import TestSupport
import Testing

@Suite struct AssignLayoutsTests {
  private func program(_ body: (inout Builder) throws -> ValueID) throws -> KernelProgram {
    var builder = Builder()
    let output = try body(&builder)
    var program = try KernelProgram.lowering(builder.finish([("y", output)]))
    program.fuse(for: CTarget.v3)
    program.assignLayouts(for: CTarget.v3)
    return program
  }

  @Test func convolutionsReadRoundedFactors() throws {
    for type in [DType.bfloat16, .float16, nil] {
      var device = CTarget.v3.device
      device.factors = type
      var builder = Builder()
      let x = builder.input("x", TensorType(.float32, [1, 8, 16, 16]))
      let first = try conv(&builder, x, [16, 8, 3, 3], pad: 1)
      let second = try conv(&builder, first, [8, 16, 3, 3], pad: 1)
      var program = try KernelProgram.lowering(builder.finish([("y", second)]))
      try program.optimize(for: CTarget(device))
      var inputs: [DType] = []
      KernelProgram.forEachKernel(program.steps) { kernel in
        guard case .convolution(let c) = kernel.body else { return }
        inputs.append(program[kernel.params[c.x].tensor].dtype)
      }
      #expect(inputs == [type ?? .float32, type ?? .float32])
      let ends = program.tensors.filter { if case .temporary = $0.kind { false } else { true } }
      #expect(ends.allSatisfy { $0.dtype == .float32 })
    }
  }

  private func families(_ program: KernelProgram) -> [String] {
    var names: [String] = []
    KernelProgram.forEachKernel(program.steps) { names.append($0.family) }
    return names
  }

  private func conv(_ b: inout Builder, _ x: ValueID, _ weight: [Int], pad: Int = 0, groups: Int = 1) throws -> ValueID
  {
    var conv = Conv()
    conv.pad = [pad, pad, pad, pad]
    conv.groups = groups
    return try b(conv, x, b.constant(Tensor(.float32, weight, [Double](repeating: 1, count: weight.reduce(1, *)))))
  }

  @Test func neighboursShareBlockedTensors() throws {
    let result = try program { b in
      let x = b.input("x", TensorType(.float32, [1, 3, 16, 16]))
      return try conv(&b, try conv(&b, x, [16, 3, 3, 3], pad: 1), [8, 16, 3, 3], pad: 1)
    }
    #expect(families(result) == ["conv", "conv", "reorder"])
    let halos = result.tensors.compactMap { tensor -> Layout.Blocked? in
      if case .blocked(let b) = tensor.layout { b } else { nil }
    }
    #expect(halos.contains(Layout.Blocked(block: 8, top: 1, bottom: 1, left: 1, right: 1)))
  }

  /// Whole blocks of many products are worth the reorder of a result that has to be plain.
  @Test(arguments: [([16, 3, 3, 3], false), ([12, 3, 3, 3], true), ([16, 1, 1, 10], true), ([16, 2, 3, 3], false)])
  func firstLayersMayWritePlain(weight: [Int], staysPlain: Bool) throws {
    let result = try program { b in
      try conv(&b, b.input("x", TensorType(.float32, [1, Dim(weight[1]), 16, 16])), weight)
    }
    #expect(families(result) == (staysPlain ? ["conv"] : ["conv", "reorder"]))
    #expect(isPlain(result) == staysPlain)
  }

  @Test func openChannelsAreThoseOfTheWeight() throws {
    let result = try program { b in
      let x = b.input("x", TensorType(.float32, [1, "c", "h", 16]))
      return try conv(&b, try conv(&b, x, [8, 16, 1, 1]), [8, 8, 3, 3])
    }
    #expect(result.symbols == ["c", "h"] && result.requirements.contains(SizeRequirement("c" - 16)))
    var count = 0
    KernelProgram.forEachKernel(result.steps) { kernel in
      guard kernel.family == "conv" else { return }
      count += 1
      if case .convolution = kernel.body { return }
      Issue.record("the kernel is no convolution")
    }
    #expect(count == 2)
  }

  /// Whether every convolution is one still, its tensors plain.
  private func isPlain(_ program: KernelProgram) -> Bool {
    var (isPlain, count) = (true, 0)
    KernelProgram.forEachKernel(program.steps) { kernel in
      guard kernel.family.hasPrefix("conv") else { return }
      count += 1
      let isConvolution = if case .convolution = kernel.body { true } else { false }
      let allPlain = kernel.params.allSatisfy { program[$0.tensor].layout == .plain }
      isPlain = isPlain && isConvolution && allPlain
    }
    return isPlain && count > 0
  }

  @Test func unevenGroupsStayPlain() throws {
    let result = try program { b in
      let x = b.input("x", TensorType(.float32, [1, 6, 4, 4]))
      return try b(Relu(), try conv(&b, x, [6, 3, 1, 1], groups: 2))
    }
    #expect(families(result) == ["conv_relu"])
    #expect(isPlain(result))
  }

  @Test func volumesLieInBlocksToo() throws {
    let result = try program { b in
      let x = b.input("x", TensorType(.float32, [1, 16, 8, 16, 16]))
      let weight = b.constant(Tensor(.float32, [16, 16, 3, 3, 3], [Double](repeating: 1, count: 6912)))
      return try b(Relu(), try b(Conv(), x, weight))
    }
    #expect(families(result) == ["reorder", "conv_relu", "reorder"])
    #expect(!isPlain(result))
  }

  /// Between tensors that are plain anyway, blocks have to save more than they are padded and moved for.
  @Test(arguments: [([33, 33, 1, 1], true), ([3, 64, 5, 5], true), ([64, 64, 3, 3], false)])
  func whatBlocksDoNotSpeedUpStaysPlain(weight: [Int], staysPlain: Bool) throws {
    let result = try program { b in
      try conv(&b, b.input("x", TensorType(.float32, [1, Dim(weight[1]), 24, 24])), weight)
    }
    #expect(families(result) == (staysPlain ? ["conv"] : ["reorder", "conv", "reorder"]))
    #expect(isPlain(result) == staysPlain)
  }

  @Test func weightsOfTheRunStayPlain() throws {
    let result = try program { b in
      let x = b.input("x", TensorType(.float32, [1, 16, 4, 4]))
      return try b(Conv(), x, b.input("w", TensorType(.float32, [8, 16, 3, 3])))
    }
    #expect(families(result) == ["conv"])
    #expect(isPlain(result))
  }

  @Test func plainConvolutionsReadCopiesOfBlockedTensors() throws {
    let result = try program { b in
      let x = b.input("x", TensorType(.float32, [1, 16, 8, 8]))
      let blocked = try conv(&b, x, [16, 16, 3, 3])
      return try b(Add(), blocked, try conv(&b, blocked, [16, 4, 1, 1], groups: 4))
    }
    #expect(families(result).filter { $0 == "reorder" }.count == 2)
  }

  @Test func inputsWithManyChannelsAreReorderedOnce() throws {
    let result = try program { b in
      let x = b.input("x", TensorType(.float32, [1, 64, 16, 16]))
      return try b(Add(), try conv(&b, x, [64, 64, 3, 3]), try conv(&b, x, [64, 64, 3, 3]))
    }
    #expect(families(result).filter { $0 == "reorder" }.count == 2)
  }

  /// Rows that are written where they lie plain are read there too; along channels that lie side by side in both,
  /// blocks are read as they are.
  @Test func rowsThatCrossBlocksReadPlainCopies() throws {
    func families(_ rows: (inout Builder, ValueID) throws -> ValueID) throws -> [String] {
      self.families(
        try program { b in
          let x = b.input("x", TensorType(.float32, [1, 16, 4, 6]))
          return try rows(&b, try conv(&b, x, [24, 16, 3, 3], pad: 1))
        }
      )
    }
    for axis in 1..<4 {
      let softmax = try families { b, x in try b(Softmax(axis: axis), x) }
      #expect(softmax == ["reorder", "conv", "reorder", "softmax"])
      // A convolution after it reads blocks, and the rows stay in them.
      let between = try families { b, x in try conv(&b, b(Softmax(axis: axis), x), [8, 24, 1, 1]) }
      #expect(between == ["reorder", "conv", "softmax", "conv", "reorder"])
    }
    let last = try families { b, x in try b(Softmax(axis: 3), try b(Transpose([0, 2, 3, 1]), x)) }
    #expect(last == ["reorder", "conv", "transpose_softmax"])
  }
}

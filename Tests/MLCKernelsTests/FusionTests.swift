import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCTargetC
import TestSupport
import Testing

/// Which kernels are left of small graphs.
@Suite struct FusionTests {
  private func weight(_ shape: [Int]) -> Tensor {
    Tensor(.float32, shape, [Double](repeating: 0.5, count: shape.reduce(1, *)))
  }

  private func kernels(_ body: (inout Builder) throws -> ValueID) throws -> [Kernel] {
    var builder = Builder()
    let output = try body(&builder)
    var program = try KernelProgram.lowering(builder.finish([("y", output)]))
    program.fuse(for: CTarget.v3)
    var found: [Kernel] = []
    KernelProgram.forEachKernel(program.steps) { found.append($0) }
    return found
  }

  @Test func chainsBecomeOneKernel() throws {
    let result = try kernels { b in
      let x = b.input("x", TensorType(.float32, [2, 3]))
      return try b(Tanh(), try b(Add(), try b(Exp(), x), x))
    }
    #expect(result.count == 1)
  }

  @Test func anotherShapeOfAResultIsNoCopy() throws {
    let result = try kernels { b in
      let x = b.input("x", TensorType(.float32, [2, 3, 4]))
      return try b(Reshape(), try b(Transpose([0, 2, 1]), x), b.constant(Tensor(.int64, [2], [8.0, 3])))
    }
    #expect(result.map(\.family) == ["transpose"])
  }

  @Test func anotherShapeOfAnInputIsACopy() throws {
    let result = try kernels { b in
      try b(Reshape(), b.input("x", TensorType(.float32, [2, 12])), b.constant(Tensor(.int64, [2], [8.0, 3])))
    }
    #expect(result.map(\.family) == ["copy"])
  }

  @Test func biasActivationAndResidualGoIntoTheConvolution() throws {
    let result = try kernels { b in
      let x = b.input("x", TensorType(.float32, [1, 16, 8, 8]))
      let w = b.constant(weight([16, 16, 3, 3]))
      var conv = Conv()
      conv.pad = [1, 1, 1, 1]
      let y = try b(conv, x, w, b.constant(weight([16])))
      return try b(Relu(), try b(Add(), y, x))
    }
    #expect(result.map(\.family) == ["conv_add_relu"])
  }

  @Test func whatFollowsAConvolutionOfLinesGoesIntoIt() throws {
    let result = try kernels { b in
      let x = b.input("x", TensorType(.float32, [2, 16, 40]))
      let y = try b(Conv(), x, b.constant(weight([16, 16, 3])))
      return try b(Relu(), y)
    }
    #expect(result.map(\.family) == ["conv_relu"])
  }

  @Test func aGateReadTwiceIsStillOneEpilogue() throws {
    let result = try kernels { b in
      let x = b.input("x", TensorType(.float32, [1, 16, 8, 8]))
      let y = try b(Conv(), x, b.constant(weight([16, 16, 1, 1])))
      return try b(Mul(), y, try b(Sigmoid(), y))
    }
    #expect(result.count == 1)
    guard case .convolution = result[0].body else {
      Issue.record("the kernel is no convolution")
      return
    }
  }

  @Test func aSharedIntermediateStays() throws {
    let result = try kernels { b in
      let x = b.input("x", TensorType(.float32, [4, 8]))
      let y = try b(Linear(), x, b.constant(weight([8, 8])))
      let z = try b(Linear(), y, b.constant(weight([8, 8])))
      return try b(Add(), y, z)
    }
    #expect(result.count == 2)
  }

  @Test func headTransposesAreReadInPlace() throws {
    let result = try kernels { b in
      let q = b.input("q", TensorType(.float32, [1, 5, 4, 8]))
      let k = b.input("k", TensorType(.float32, [1, 5, 4, 8]))
      let rows = try b(Transpose([0, 2, 1, 3]), q)
      let columns = try b(Transpose([0, 2, 3, 1]), k)
      return try b(MatMul(), rows, columns)
    }
    #expect(result.map(\.family) == ["matmul"])
    #expect(result[0].params.count == 3)
  }

  @Test func originsOfAllPartsAreKept() throws {
    let result = try kernels { b in
      let x = b.input("x", TensorType(.float32, [3]))
      let y = try b(Exp(), x, origin: Location(node: "first"))
      return try b(Tanh(), y, origin: Location(node: "second"))
    }
    #expect(result[0].origins.compactMap(\.node) == ["first", "second"])
  }

  @Test func whatNothingReadsIsNotComputed() throws {
    let result = try kernels { b in
      let x = b.input("x", TensorType(.float32, [3]))
      _ = try b(Exp(), x)
      return try b(Tanh(), x)
    }
    #expect(result.map(\.family) == ["tanh"])
  }

  /// Copies that put elements of several rows side by side, and whether a cheap and a costly function go with them.
  @Test(arguments: [2, 3, 4]) func functionsAreComputedWhereElementsLieSideBySide(block: Int) throws {
    func families(_ body: (inout Builder, ValueID) throws -> ValueID) throws -> [String] {
      try kernels { b in try body(&b, b.input("x", TensorType(.float32, [1, 2 * block * block, 5, 7]))) }.map(\.family)
    }
    let shuffle = PixelShuffle(block: block)
    #expect(try families { b, x in try b(Relu(), try b(shuffle, x)) }.count == 1)
    #expect(try families { b, x in try b(Elu(), try b(shuffle, x)) }.count == 2)
    #expect(try families { b, x in try b(shuffle, try b(Tanh(), x)) }.count == 2)
    #expect(try families { b, x in try b(Elu(), try b(Transpose([0, 2, 3, 1]), x)) }.count == 1)
  }
}

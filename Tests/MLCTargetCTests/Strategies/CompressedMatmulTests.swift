import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// What strategies make of compressed weights; that the results are right is played in OperatorSuite.
@Suite struct CompressedMatmulTests {
  /// `x[M, K] · W[N, K]ᵀ` with a weight kept as `constant`.
  private func product(rows: Int, _ constant: CompressedConstant) -> (kernel: Kernel, program: KernelProgram) {
    var program = KernelProgram()
    let (n, k) = (constant.shape[0], constant.shape[1])
    let x = program.add(KernelTensor("x", .float32, [Dim(rows), Dim(k)], .input(0)))
    let weight = program.add(KernelTensor("w", .float32, [Dim(n), Dim(k)], .compressed(constant)))
    let y = program.add(KernelTensor("y", .float32, [Dim(rows), Dim(n)], .output(0)))
    let matmul = Matmul(
      batch: [],
      m: Axis(0, Dim(rows)),
      n: Axis(1, Dim(n)),
      k: Axis(2, Dim(k)),
      lhs: .init(0, [.axis(0), .axis(2)]),
      rhs: .init(1, [.axis(1), .axis(2)]),
      output: .init(2, [.axis(0), .axis(1)]),
      epilogue: .accumulator
    )
    let params = [Kernel.Param(x, .read), Kernel.Param(weight, .read), Kernel.Param(y, .write)]
    return (Kernel("matmul", params, .matmul(matmul), origins: []), program)
  }

  private func linear(_ n: Int, _ k: Int, _ dtype: DType, block: Int) -> CompressedConstant {
    let grid = [n, k / block]
    return CompressedConstant(
      .float32,
      [n, k],
      .codes(Tensor(dtype, [n, k], codes: [UInt8](repeating: 3, count: n * k))),
      scale: BlockValues(grid: grid, values: [Float](repeating: 0.5, count: grid[0] * grid[1]))
    )
  }

  @Test func fewRowsDecodeInRegisters() throws {
    for device in CompileAndRun.devices {
      let target = try CTarget(device)
      for (rows, name) in [(1, "Gemv"), (4, "Gemv"), (5, "PackedGemm"), (64, "PackedGemm")] {
        let (kernel, program) = product(rows: rows, linear(256, 128, .int4, block: 32))
        #expect(try target.strategy(for: kernel, in: program)?.name == name, "\(rows) rows on \(device.name)")
      }
    }
  }

  /// Codes keep their width; scales are float32.
  @Test func packedSizes() throws {
    for device in CompileAndRun.devices {
      let target = try CTarget(device)
      for (dtype, block, bytes) in [
        (DType.int4, 32, 4.0 + 1), (.int8, 1024, 8.0), (.uint2, 1024, 2.0), (.uint4, 64, 4.5),
      ] {
        let (kernel, program) = product(rows: 1, linear(384, 1024, dtype, block: block))
        let packed = try #require(try target.emit(kernel, in: program).packed[1])
        #expect(
          Double(packed.byteCount) <= Double(384 * 1024) / 8 * bytes * 1.02 + 384 * 4,
          "\(dtype) on \(device.name)"
        )
      }
    }
  }

  /// Scales that take more than the codes save.
  @Test func nothingSaved() throws {
    let (kernel, program) = product(rows: 1, linear(32, 64, .int8, block: 1))
    let obstacle = try CTarget(CompileAndRun.devices[0]).acceptance(of: kernel, in: program).obstacle
    #expect(obstacle?.id == "target.strategy")
  }

  @Test func codesOnTheLeft() throws {
    var (kernel, program) = product(rows: 64, linear(256, 128, .int4, block: 32))
    guard case .matmul(var matmul) = kernel.body else {
      Issue.record("the kernel is no product")
      return
    }
    (matmul.lhs, matmul.rhs) = (matmul.rhs, matmul.lhs)
    (matmul.m, matmul.n) = (matmul.n, matmul.m)
    kernel.body = .matmul(matmul)
    #expect(try CTarget(CompileAndRun.devices[0]).acceptance(of: kernel, in: program).obstacle == nil)
    program[kernel.params[0].tensor].kind = .compressed(linear(64, 128, .int4, block: 32))
    #expect(try CTarget(CompileAndRun.devices[0]).acceptance(of: kernel, in: program).obstacle != nil)
  }
}

import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// Which strategy takes which attention; what they compute is tested on whole functions.
@Suite struct AttentionStrategyTests {
  /// `[H, L, E]` queries, `[H, S, E]` keys, `[H, S, F]` values.
  private func kernel(queries: Dim, keys: Dim, depth: Dim, width: Dim, dtype: DType = .float32) -> (
    Kernel, KernelProgram
  ) {
    var program = KernelProgram()
    program.symbols = ["n"]
    let shapes = [[3, queries, depth], [3, keys, depth], [3, keys, width], [3, queries, width]]
    let tensors = shapes.enumerated().map { index, shape in
      program.add(KernelTensor("t\(index)", dtype, shape, index == 3 ? .output(0) : .input(index)))
    }
    func access(_ param: Int, _ row: Int, _ column: Int) -> Matmul.Access {
      Matmul.Access(param, [.axis(0), .axis(row), .axis(column)])
    }
    let attention = Attention(
      batch: [Axis(0, 3)],
      m: Axis(1, queries),
      n: Axis(2, keys),
      k: Axis(3, depth),
      f: Axis(4, width),
      query: access(0, 1, 3),
      key: access(1, 2, 3),
      value: access(2, 2, 4),
      output: access(3, 1, 4),
      scale: 0.5
    )
    let params = tensors.enumerated().map { Kernel.Param($1, $0 == 3 ? .write : .read) }
    return (Kernel("attention", params, .attention(attention), origins: []), program)
  }

  private func strategy(_ item: (Kernel, KernelProgram)) throws -> String? {
    let device = try #require(CompileAndRun.devices.first { $0.name == "x86-64-v2" })
    return try CTarget(device).strategy(for: item.0, in: item.1)?.name
  }

  @Test func fewQueriesReadKeysInPlace() throws {
    #expect(try strategy(kernel(queries: 1, keys: 257, depth: 64, width: 64)) == "RowAttention")
    #expect(try strategy(kernel(queries: 3, keys: "n", depth: 8, width: 12)) == "RowAttention")
    #expect(try strategy(kernel(queries: 1, keys: 257, depth: 63, width: 64)) == "BlockedAttention")
    #expect(try strategy(kernel(queries: 5, keys: 257, depth: 64, width: 64)) == "BlockedAttention")
    #expect(try strategy(kernel(queries: "n", keys: 257, depth: 64, width: 64)) == "BlockedAttention")
  }

  @Test func othersAreRefused() throws {
    let device = try #require(CompileAndRun.devices.first)
    for (kernel, program) in [
      kernel(queries: 5, keys: 7, depth: 4, width: 4, dtype: .float64),
      kernel(queries: 5, keys: 7, depth: "n", width: 4),
    ] {
      let obstacle = try #require(CTarget(device).acceptance(of: kernel, in: program).obstacle)
      #expect(obstacle.id == "target.strategy")
      #expect(obstacle.notes.contains { $0.hasPrefix("BlockedAttention: ") })
    }
  }

  /// Scratch does not grow with the keys.
  @Test func scratchIsBounded() throws {
    for device in CompileAndRun.devices {
      for keys in [Dim("n"), 1_000_000] {
        let (kernel, program) = kernel(queries: 4096, keys: keys, depth: 512, width: 512)
        #expect(try CTarget(device).emit(kernel, in: program).scratchBytes < 4 << 20)
      }
    }
  }
}

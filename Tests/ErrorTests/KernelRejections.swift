import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCTargetC

/// `y = x`: an operator that no lowering knows.
private struct Unlowered: Operator {
  static let schema = Schema<Unlowered>("unlowered", [.input("x")])
  func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] { [Fact(inputs["x"].type)] }
  func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] { [inputs["x"]] }
}

extension Rejection {
  static let kernels: [Rejection] = [
    Rejection("kernel.invalid") {
      var program = KernelProgram()
      _ = program.add(KernelTensor("y", .float32, [1], .output(0)))
      try program.verify(after: "nothing")
    },
    lowering(
      "lower.recurrent-size",
      "%x: fp32[1, 1, 1], %w: fp32[g, 1], %h: fp32[g, h]",
      "%y, %a, %c = lstm(x = %x, weight_ih = %w, weight_hh = %h)"
    ),
    lowering(
      "lower.resize-target",
      "%x: fp32[1], %s: int64[1]",
      "%y = resize(x = %x, sizes = %s) {keep_aspect_ratio_policy = \"not_larger\"}"
    ),
    lowering("lower.unknown-size", "%x: fp32[2 * n]", "%y = relu(x = %x)"),
    Rejection("lower.unsupported") {
      var builder = Builder()
      let x = builder.input("x", TensorType(.float32, [1]))
      let y = try builder(Unlowered(), x)
      _ = try KernelProgram.lowering(builder.finish([("y", y)]))
    },
    Rejection("target.family") { try emit { $0.family = "none" } },
    Rejection("target.lanes") { try emit { $0.vectorBits = 32 } },
    obstacle(
      "target.packed-store",
      .int4,
      .loopNest(LoopNest([], [.store(param: 0, index: [.constant(0)], axes: [], value: .integer(0, .int4))]))
    ),
    obstacle("target.packed-store", .int4, .routine(.nonZero(count: 1)), params: 3),
    obstacle(
      "target.recurrence",
      .float32,
      .routine(.packedLSTM(.init(steps: 1, batch: 1, hidden: 1, direction: .forward, order: [])))
    ),
    obstacle("target.routine", .float32, .routine(.nonZero(count: 1))),
    obstacle(
      "target.topk",
      .float32,
      .routine(.topK(.init(.init([1, 1, 1], axis: 1), count: 1, ascending: false, isWide: false))),
      params: 4
    ),
    refusal("c.convolution", by: StrategyTable.convolution),
    refusal("target.matmul-operands", by: StrategyTable.matmul),
    Rejection("target.matmul-shape") {
      let made = try function("%x: fp32[2, 2]", "%y = matmul(x = %x, y = %x)")
      let program = try KernelProgram.lowering(made)
      for strategy in StrategyTable.matmul {
        var problem: Diagnostic?
        KernelProgram.forEachKernel(program.steps) { problem = strategy.obstacle(to: $0, in: program, on: plainest) }
        if let problem { throw problem }
      }
    },
  ]

  private static let plainest = DeviceSet.catalog[0]

  private static func lowering(_ id: String, _ inputs: String, _ operations: String) -> Rejection {
    Rejection(id) {
      let made: Function
      do throws(Diagnostic) { made = try function(inputs, operations) } catch {
        throw Diagnostic("test.inference", "refused before it is lowered: \(error)")
      }
      _ = try KernelProgram.lowering(made)
    }
  }

  /// A target for the plainest device, after `damage`.
  private static func emit(_ damage: (inout DeviceDescription) -> Void) throws {
    var device = plainest
    damage(&device)
    _ = try CTarget(device)
  }

  /// A kernel over `count` tensors of one element, stored to by `body`.
  private static func single(_ dtype: DType, _ body: Kernel.Body, _ count: Int) -> (Kernel, KernelProgram) {
    var program = KernelProgram()
    let params = (0..<count).map { Kernel.Param(program.add(KernelTensor("t\($0)", dtype, [1], .temporary)), .write) }
    return (Kernel("single", params, body, origins: []), program)
  }

  private static func obstacle(_ id: String, _ dtype: DType, _ body: Kernel.Body, params: Int = 1) -> Rejection {
    Rejection(id) {
      let (kernel, program) = single(dtype, body, params)
      _ = try CTarget(plainest).emit(kernel, in: program)
    }
  }

  /// What every strategy of the table says about a loop nest.
  private static func refusal(_ id: String, by table: [any Strategy.Type]) -> Rejection {
    Rejection(id) {
      let (kernel, program) = single(.float32, .loopNest(LoopNest([], [])), 1)
      if let problem = table[0].obstacle(to: kernel, in: program, on: plainest) { throw problem }
    }
  }
}

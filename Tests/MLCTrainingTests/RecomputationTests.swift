import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCKernels
import MLCOps
import MLCTargetC
import MLCTraining
import Testing

/// Steps whose cheap activations are computed twice.
@Suite struct RecomputationTests {
  private static let plan: TrainingPlan = {
    var plan = TrainingPlan()
    (plan.epochs, plan.batchSize, plan.settings) = (2, 8, ["learningRate": 0.05])
    return plan
  }()

  /// Losses and weights keep their bits, and no step takes more memory.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func bitsAreKept(_ seed: UInt64) throws {
    let batch: Dim = seed.isMultiple(of: 2) ? 8 : .symbol("batch")
    let network = try DrawnNetwork(seed: seed, batch: batch)
    let names = try network.function.trainable([])
    var results: [(losses: [TrainingSession.Epoch], weights: [String: Tensor], bytes: Int?)] = []
    for recomputes in [false, true] {
      var session = try session(network.function, Self.plan, network.archive, recomputes: recomputes)
      while !session.isDone { try session.runEpoch() }
      results.append((session.history, session.weights(of: names), session.arenaBytes))
    }
    #expect(results[0].losses == results[1].losses && results[0].weights == results[1].weights)
    #expect((results[0].bytes == nil) == (batch.constant == nil))
    if let (kept, computed) = results[0].bytes.flatMap({ kept in results[1].bytes.map { (kept, $0) } }) {
      #expect(computed <= kept)
    }
  }

  /// Of what a deep chain of activations keeps, a third at least is not kept, and the kernels are valid.
  @Test(arguments: [Gelu(), Silu(), Softplus()] as [any Operator])
  func memoryIsSaved(_ activation: any Operator) throws {
    var b = Builder()
    var y = b.input("x", TensorType(.float32, [64, 48]))
    for layer in 0..<10 {
      let weight = Tensor(.float32, [48, 48], [Double](repeating: 0.01, count: 48 * 48))
      y = try b(activation, try b(Linear(), y, b.constant(weight, name: "w\(layer)")))
    }
    let function = b.finish([("y", y)])
    let options = TrainingStep.Options(MeanSquaredError(), SGD(momentum: false))
    let step = try TrainingStep(function, parameters: try function.trainable([]), options)
    let target = try CTarget(DeviceSet(["x86-64-v3"]).devices[0])
    var program = try KernelProgram.optimized(step.function, for: target)
    let (before, steps) = (MemoryPlan(program).arenaBytes, program.steps.count)
    program.recompute()
    try program.verify(after: "recompute")
    #expect(program.steps.count > steps)
    #expect(Double(MemoryPlan(program).arenaBytes) <= Double(before) * 2 / 3)
    #expect(program.obstacles(for: target).isEmpty)
  }
}

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
  /// A network of drawn layers: products or convolutions, each with an activation or a norm behind it, some added to
  /// what went in.
  private struct Network {
    let function: Function
    let archive: [(name: String, tensor: Tensor)]

    private static let activations: [any Operator] = [
      Gelu(), Silu(), Tanh(), Relu(), Softplus(), Sigmoid(), Erf(), Softmax(), LayerNorm(axes: [-1], epsilon: 1e-3),
    ]

    init(seed: UInt64, batch: Dim) throws {
      var random = SeededGenerator(seed: seed)
      let (width, examples) = (Int.random(in: 3...40, using: &random), 32)
      let isConvolutional = Bool.random(using: &random)
      let shape = isConvolutional ? [width, 7, 6] : [width]
      func tensor(_ shape: [Int], _ scale: Double) -> Tensor {
        let count = shape.reduce(1, *)
        return Tensor(.float32, shape, (0..<count).map { _ in Double(Float(random.normal() * scale)) })
      }
      var b = Builder()
      var y = b.input("x", TensorType(.float32, [batch] + shape.map { Dim($0) }))
      for layer in 0..<Int.random(in: 3...7, using: &random) {
        let weight = tensor([width, width] + (isConvolutional ? [3, 3] : []), isConvolutional ? 0.1 : 0.3)
        let scale = b.constant(weight, name: "w\(layer)")
        let bias = b.constant(tensor([width], 0.1), name: "b\(layer)")
        var conv = Conv()
        conv.pad = [1, 1, 1, 1]
        let product = isConvolutional ? try b(conv, y, scale, bias) : try b(Linear(), y, scale, bias)
        let activation = Self.activations.randomElement(using: &random) ?? Relu()
        let next = try b(activation, product)
        y = Bool.random(using: &random) ? try b(Add(), y, next) : next
      }
      if isConvolutional { y = try b(ReduceMean(axes: [2, 3]), y) }
      function = b.finish([("p", try b(Softmax(), y))])
      let labels = (0..<examples).map { _ in Double(Int.random(in: 0..<width, using: &random)) }
      archive = [("x", tensor([examples] + shape, 1)), ("target", Tensor(.int64, [examples], labels))]
    }
  }

  private static let plan: TrainingPlan = {
    var plan = TrainingPlan()
    (plan.epochs, plan.batchSize, plan.settings) = (2, 8, ["learningRate": 0.05])
    return plan
  }()

  /// Losses and weights keep their bits, and no step takes more memory.
  @Test(arguments: 1...12 as ClosedRange<UInt64>, [Dim(8), .symbol("batch")])
  func bitsAreKept(_ seed: UInt64, _ batch: Dim) throws {
    let network = try Network(seed: seed, batch: batch)
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

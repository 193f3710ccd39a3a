import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// Networks of several layers, whose weights may be read more than once.
@Suite struct NetworkTests {
  @Test(arguments: Network.all.indices, [1, 2] as [UInt64]) func gradientsAreSlopes(_ place: Int, _ seed: UInt64) throws
  {
    let (loss, weights, _) = try NetworkBuilder.function(Network.all[place], .float64, takesWeights: true, seed: seed)
    var draw = Draw(seed: seed)
    #expect(try GradientCheck(loss, weights).disagreement(&draw) == nil)
  }

  /// A step of a network, with what it is called with at each of `count` steps and what the interpreter answers.
  private func play(_ network: Network, _ optimizer: any Optimizer, _ settings: [Double], count: Int) throws
    -> (step: TrainingStep, runs: [[Tensor]], results: [[Tensor]])
  {
    let (function, weights, input) = try NetworkBuilder.function(network, .float32, takesWeights: false, seed: 5)
    let options = TrainingStep.Options(CategoricalCrossEntropy(.logits, targets: .classes), optimizer)
    let step = try TrainingStep(function, parameters: Set(weights.indices.map(NetworkBuilder.name)), options)
    try step.function.verify()
    let labels = Tensor(.int32, [2], [0, 1])
    let interpreter = Interpreter(step.function)
    var (runs, results): ([[Tensor]], [[Tensor]]) = ([], [])
    var states = step.initial.map { $0.contents }
    for _ in 0..<count {
      runs.append([input, labels] + settings.map { .scalar(.float32, $0) } + states)
      results.append(try interpreter.run(runs[runs.count - 1]))
      states = Array(results[results.count - 1].dropFirst())
    }
    return (step, runs, results)
  }

  /// A function whose weights are parameters computes what it did with those that it had.
  @Test(arguments: Network.all.indices) func parametersAreTheWeights(_ place: Int) throws {
    let network = Network.all[place]
    let (function, weights, input) = try NetworkBuilder.function(network, .float32, takesWeights: false, seed: 3)
    for count in [1, weights.count] {
      let names = Set((0..<count).map(NetworkBuilder.name))
      let constants = try TrainableConstants(function, names)
      let parameterized = try constants.parameterized()
      try parameterized.verify()
      #expect(parameterized.parameters.map { $0.name } == (0..<count).map(NetworkBuilder.name))
      let held = parameterized.parameters.map { $0.contents }
      let answer = try Interpreter(function).run([input])
      #expect(try Interpreter(parameterized).run([input] + held) == answer)
      let others = held.map { Tensor($0.dtype, $0.shape, $0.doubles.map { $0 + 1 }) }
      #expect(try Interpreter(parameterized).run([input] + others) != answer)
    }
  }

  /// One step serves batches of any size.
  @Test func openBatchAsCode() throws {
    let network = Network.convolutional
    let (function, weights, _) = try NetworkBuilder.function(
      network,
      .float32,
      takesWeights: false,
      seed: 7,
      open: true
    )
    let options = TrainingStep.Options(CategoricalCrossEntropy(.logits, targets: .classes), SGD(momentum: false))
    let step = try TrainingStep(function, parameters: Set(weights.indices.map(NetworkBuilder.name)), options)
    try step.function.verify()
    var draw = Draw(seed: 7)
    let runs = [1, 3].map { batch in
      let x = draw.reals([batch] + network.input.dropFirst()).converted(to: .float32)
      let labels = draw.integers([batch], 0...network.classes - 1)
      return [x, labels, .scalar(.float32, 0.1)] + step.initial.map { $0.contents }
    }
    let results = try CompiledRunner(DeviceSet(["host"]).devices[0]).run(step.function, runs)
    for (played, run) in zip(results, runs) {
      for (index, pair) in zip(played, try Interpreter(step.function).run(run)).enumerated() {
        #expect(disagreement(pair.0, pair.1, rtol: 2e-5, atol: 2e-5) == nil, "\(step.function.outputNames[index])")
      }
    }
  }

  /// Losses fall, and code makes of each step what the interpreter makes of it.
  @Test(arguments: Network.all.indices) func stepsAsCode(_ place: Int) throws {
    for (optimizer, settings) in [(SGD(momentum: true), [0.05, 0.9]), (Adam(), [0.02, 0.9, 0.999, 1e-3])]
      as [(any Optimizer, [Double])]
    {
      let (step, runs, results) = try play(Network.all[place], optimizer, settings, count: 8)
      #expect(results[7][0].doubles[0] < results[0][0].doubles[0])
      let runner = try CompiledRunner(DeviceSet(["host"]).devices[0])
      for (played, expected) in zip(try runner.run(step.function, runs), results) {
        for (index, pair) in zip(played, expected).enumerated() {
          let largest = pair.1.doubles.reduce(1) { max($0, abs($1)) }
          let problem = disagreement(pair.0, pair.1, rtol: 2e-5, atol: 2e-5 * largest)
          #expect(problem == nil, "\(step.function.outputNames[index])")
        }
      }
    }
  }
}

import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGradients
import MLCGraph
import MLCTargetC
import MLCTraining
import Testing

/// Models that learn example by example, beside the same trained in batches.
@Suite struct ExampleSessionTests {
  private static let count = 22

  private struct Way: Sendable {
    let name: Learning.Network.Optimizer, optimizer: any Optimizer, settings: [String: Double]
    /// Whether the norm of gradients is limited.
    var clips = false
  }

  private static let ways = [
    Way(name: .sgd, optimizer: SGD(momentum: true), settings: ["learningRate": 0.3, "momentum": 0.5]),
    Way(
      name: .sgd,
      optimizer: SGD(momentum: true, decay: .gradient),
      settings: ["learningRate": 0.3, "weightDecay": 0.2, "clipNorm": 0.1],
      clips: true
    ),
    Way(name: .adam, optimizer: Adam(), settings: ["learningRate": 0.05, "beta1": 0.5]),
    Way(
      name: .adamw,
      optimizer: Adam(decay: .decoupled, epsilon: .raw),
      settings: ["learningRate": 0.05, "weightDecay": 0.5, "eps": 1e-3]
    ),
  ]

  /// `settings` of the plan are those that a step is called with.
  private func plan(_ settings: [String: Double]) -> TrainingPlan {
    var plan = TrainingPlan()
    (plan.epochs, plan.batchSize, plan.seed, plan.validationShare) = (3, 4, 7, 0.25)
    plan.settings = settings
    return plan
  }

  /// The data with an axis before each example of one row.
  private static func rows(_ archive: [(name: String, tensor: Tensor)]) -> [(name: String, tensor: Tensor)] {
    archive.map { entry in
      (entry.name, entry.tensor.reshaped([entry.tensor.shape[0], 1] + entry.tensor.shape.dropFirst()))
    }
  }

  private func session(_ way: Way, threads: Int = 2) throws -> TrainingSession {
    let function = try Classifier(seed: 1).function(batch: 1)
    var options = TrainingStep.Options(CategoricalCrossEntropy(.probabilities, targets: .classes), way.optimizer)
    options.clips = way.clips
    let request = LearningRequest(Set(Classifier.names), options, .crossEntropy, way.name, plan(way.settings))
    let requested = try Program([function]).learning(by: request)
    for function in requested.program.functions { try function.verify() }
    let functions = try #require(ExampleFunctions(requested.program, requested.targetElements))
    let data = try TrainingData(Self.rows(Classifier.examples(Self.count, seed: 2)), ports: functions.ports)
    try data.checkTargets(functions.targetElements)
    let own = Set(functions.hyperparameters.map { $0.name })
    return try TrainingSession(
      functions,
      plan(way.settings.filter { own.contains($0.key) }),
      data,
      Compiler(CompileOptions(), targets: [CTarget.self]),
      drivers: [try CPUDriver(threads: threads)]
    )
  }

  @Test(arguments: ways.indices) func lossesAreThoseOfBatches(_ place: Int) throws {
    let way = Self.ways[place]
    var single = try session(way)
    let function = try Classifier(seed: 1).function(batch: .symbol("batch"))
    var options = TrainingStep.Options(CategoricalCrossEntropy(.probabilities, targets: .classes), way.optimizer)
    options.clips = way.clips
    let functions = try #require(
      try BatchFunctions(function, parameters: Set(Classifier.names), options, targetName: "target")
    )
    let data = try TrainingData(Classifier.examples(Self.count, seed: 2), ports: functions.ports)
    var batched = try TrainingSession(
      functions,
      plan(way.settings),
      data,
      Compiler(CompileOptions(), targets: [CTarget.self]),
      drivers: [try CPUDriver(threads: 2)]
    )
    for epoch in 0..<3 {
      try single.runEpoch()
      try batched.runEpoch()
      let (one, other) = (single.history[epoch], batched.history[epoch])
      #expect(abs(one.loss - other.loss) < 1e-5 * other.loss)
      #expect(abs(try #require(one.validation) - (try #require(other.validation))) < 1e-5)
    }
    let (mine, theirs) = (single.weights(of: Set(Classifier.names)), batched.weights(of: Set(Classifier.names)))
    for (name, tensor) in mine {
      let distance = zip(tensor.doubles, try #require(theirs[name]).doubles).map { abs($0 - $1) }.max() ?? .infinity
      #expect(distance < 1e-4, "\(name) is \(distance) off")
    }
  }

  @Test func threadsChangeNoBit() throws {
    var results: [[String: Tensor]] = []
    for threads in 1...2 {
      var session = try session(Self.ways[2], threads: threads)
      try session.runEpoch()
      results.append(session.weights(of: Set(Classifier.names)))
    }
    #expect(results[0] == results[1])
  }

  /// What is asked of programs that cannot learn so.
  @Test func refusals() throws {
    let function = try Classifier(seed: 1).function(batch: 1)
    let options = TrainingStep.Options(MeanSquaredError(), SGD(momentum: true))
    func id(_ program: Program, _ change: (inout LearningRequest) -> Void = { _ in }) -> String? {
      var request = LearningRequest(["w1"], options, .meanSquaredError, .sgd, plan([:]))
      change(&request)
      return refusal { () throws(Diagnostic) in _ = try program.learning(by: request) }
    }
    #expect(id(Program([function])) == nil)
    var other = function
    other.name = "other"
    #expect(id(Program([function, other])) == "update.functions")
    var remembering = function
    remembering.states = [State("s", input: 0, output: 0)]
    #expect(id(Program([remembering])) == "update.states")
    #expect(id(Program([function])) { $0.weights = ["nobody"] } == "gradient.parameter")
    #expect(id(Program([function])) { $0.target = "x" } == "update.target-name")
    #expect(id(Program([function])) { $0.options.output = "nobody" } == "gradient.output")
    #expect(id(Program([function])) { $0.plan.settings = ["learningRate": -1] } == "update.setting")
  }
}

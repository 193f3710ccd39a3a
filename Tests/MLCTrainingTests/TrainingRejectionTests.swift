import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import MLCTraining
import Testing

/// What is refused, with its id.
@Suite struct TrainingRejectionTests {
  private let open = Dim.symbol("batch")

  private func id(
    batch: Dim? = nil,
    _ archive: [(name: String, tensor: Tensor)]? = nil,
    _ change: (inout TrainingPlan) -> Void = { _ in }
  ) throws -> String? {
    let function = try Classifier(seed: 1).function(batch: batch ?? open)
    var plan = TrainingPlan()
    plan.epochs = 2
    change(&plan)
    let (wanted, examples) = (plan, archive ?? Classifier.examples(8, seed: 1))
    return refusal { () throws(Diagnostic) in
      var session = try session(function, wanted, examples)
      while !session.isDone { try session.runEpoch() }
    }
  }

  private func data(_ x: Tensor, _ labels: [Int] = [0, 1]) -> [(name: String, tensor: Tensor)] {
    [("x", x), ("target", Tensor(.int64, [labels.count], labels))]
  }
  private func rows(_ count: Int, _ value: Double = 1) -> Tensor {
    Tensor(.float32, [count, 4], [Double](repeating: value, count: count * 4))
  }

  @Test func examples() throws {
    #expect(try id(data(rows(2))) == nil)
    #expect(try id([("y", rows(2))]) == "update.data-missing")
    #expect(try id(data(Tensor(.float32, [2, 3], [Double](repeating: 1, count: 6)))) == "update.data-shape")
    #expect(try id(data(rows(3))) == "update.data-shape")
    #expect(try id(data(Tensor(.int32, [2, 4], [Int](repeating: 1, count: 8)))) == "update.data-type")
    #expect(try id(data(rows(0), [])) == "update.data-empty")
    #expect(try id(batch: Dim(4), data(rows(2))) == "update.data-empty")
    #expect(try id(data(rows(2, .nan))) == "update.data-finite")
    #expect(try id(data(rows(2, .infinity))) == "update.data-finite")
    #expect(try id(data(rows(2), [0, 3])) == "update.labels")
    #expect(try id(data(rows(2), [-1, 0])) == "update.labels")
    // 2³² is 0 in 32 bits.
    #expect(try id(data(rows(2), [0, 1 << 32])) == "update.data-type")
  }

  /// Targets of losses that take probabilities are such, and those of classes that exclude each other add up to 1.
  @Test func probabilities() throws {
    let loss = CategoricalCrossEntropy(.probabilities, targets: .probabilities)
    func id(_ loss: any Loss, _ targets: [Double]) throws -> String? {
      let function = try Classifier(seed: 1).function(batch: open)
      let options = TrainingStep.Options(loss, SGD(momentum: false))
      let archive = [("x", rows(2)), ("target", Tensor(.float32, [2, 3], targets))]
      return refusal { () throws(Diagnostic) in
        guard let functions = try BatchFunctions(function, parameters: ["w1"], options, targetName: "target") else {
          return
        }
        try TrainingData(archive.map { ($0.0, $0.1) }, ports: functions.ports).checkTargets(functions.targetElements)
      }
    }
    let binary = BinaryCrossEntropy(.logits)
    #expect(try id(loss, [0.5, 0.25, 0.25, 0, 1, 0]) == nil)
    #expect(try id(loss, [0.5, 0.25, 0.25, 0.25, 0.25, 0.25]) == "update.probabilities")
    #expect(try id(loss, [0.5, 0.25, 0.25, -1, 1, 1]) == "update.probabilities")
    #expect(try id(binary, [0, 0, 0, 1, 1, 1]) == nil)
    #expect(try id(binary, [0, 0, 0, 1, 1, 1.5]) == "update.probabilities")
    #expect(try id(MeanSquaredError(), [0, 0, 0, -1, 1, 1.5]) == nil)
  }

  @Test func settings() throws {
    #expect(try id { $0.epochs = 0 } == "update.setting")
    #expect(try id { $0.batchSize = 0 } == "update.setting")
    #expect(try id { $0.validationShare = 1 } == "update.setting")
    #expect(try id { $0.patience = 1 } == "update.setting")
    #expect(try id { $0.settings = ["beta1": 0.5] } == "update.setting")
    #expect(try id { $0.settings = ["learningRate": -1] } == "update.setting")
    var plan = TrainingPlan()
    plan.settings = ["learningRate": -1]
    let error = #expect(throws: Diagnostic.self) { try plan.values(of: [.learningRate]) }
    #expect(error?.message == "--learning-rate cannot be -1.0")
    #expect(try id(batch: Dim(4)) { $0.batchSize = 3 } == "update.batch-size")
    #expect(try id { $0.settings = ["learningRate": 1e39] } == "update.diverged")
  }

  @Test func models() throws {
    let function = try Classifier(seed: 1).function(batch: open)
    #expect(refusal { () throws(Diagnostic) in _ = try function.trainable(["z*"]) } == "update.trainable")
    #expect(try function.trainable(["w*"]) == ["w1", "w2"])
    let options = TrainingStep.Options(MeanSquaredError(), SGD(momentum: false))
    func id(_ function: Function) -> String? {
      refusal { () throws(Diagnostic) in
        _ = try BatchFunctions(function, parameters: ["w1"], options, targetName: "target")
      }
    }
    var remembering = function
    remembering.states = [State("s", input: 0, output: 0)]
    #expect(id(remembering) == "update.states")
    var builder = Builder()
    let scalar = builder.input("x", TensorType(.float32, [Dim]()))
    let weight = builder.constant(.scalar(.float32, 2.0), name: "w1")
    let alone = builder.finish([("y", try builder(Mul(), scalar, weight))])
    #expect(try BatchFunctions(alone, parameters: ["w1"], options, targetName: "target") == nil)
  }
}

import Foundation
import MLCCore
import MLCGradients
import MLCGraph
import MLCTraining
import Testing

@Suite struct TrainingSessionTests {
  private static let names = Set(Classifier.names)

  private func plan(_ change: (inout TrainingPlan) -> Void = { _ in }) -> TrainingPlan {
    var plan = TrainingPlan()
    (plan.epochs, plan.batchSize, plan.seed, plan.settings) = (3, 4, 7, ["learningRate": 0.3])
    change(&plan)
    return plan
  }

  private func bits(_ session: TrainingSession) -> [Tensor] {
    session.weights(of: Self.names).sorted { $0.key < $1.key }.map { $0.value }
  }

  /// Losses and weights are those of plain arithmetic on the same batches, a smaller last one among them, and weights
  /// put into the function give its own loss.
  @Test(arguments: [Dim.symbol("batch"), Dim(4)]) func lossesAreThoseOfPlainArithmetic(_ batch: Dim) throws {
    var plain = Classifier(seed: 1)
    let archive = Classifier.examples(23, seed: 2)
    var function = try plain.function(batch: batch)
    var session = try session(function, plan { $0.validationShare = 0.25 }, archive)
    let rows = (0..<23).map { Array(archive[0].tensor.doubles[$0 * 4..<$0 * 4 + 4]) }
    let labels = archive[1].tensor.integers
    #expect(session.order.omitted == (batch.constant == nil ? 0 : 1 + 2))
    for epoch in 0..<3 {
      try session.runEpoch()
      var (sum, count) = (0.0, 0)
      for numbers in session.order.batches(epoch: epoch) {
        let loss = plain.step(numbers.map { rows[$0] }, numbers.map { labels[$0] }, rate: 0.3)
        (sum, count) = (sum + loss * Double(numbers.count), count + numbers.count)
      }
      let held = session.order.validationBatches.joined()
      let validation = try #require(session.history[epoch].validation)
      #expect(abs(session.history[epoch].loss - sum / Double(count)) < 1e-5)
      #expect(abs(validation - plain.loss(held.map { rows[$0] }, held.map { labels[$0] })) < 1e-5)
    }
    #expect(session.isDone && Set(session.history.map { $0.loss }).count == 3)
    function.setWeights(session.weights(of: Self.names))
    try function.verify()
    for (name, values) in zip(Classifier.names, plain.weights) {
      let ours = try #require(session.weights(of: Self.names)[name]).doubles
      #expect(zip(ours, values).allSatisfy { abs($0 - $1) < 1e-5 }, "\(name)")
    }
    let x = Tensor(.float32, [4, 4], rows[0..<4].flatMap { $0 })
    let p = try Interpreter(function).run([x])[0].doubles
    let loss = -(0..<4).reduce(0) { $0 + log(p[$1 * 3 + labels[$1]]) } / 4
    #expect(abs(loss - plain.loss(Array(rows[0..<4]), Array(labels[0..<4]))) < 1e-5)
  }

  @Test func threadsChangeNoBit() throws {
    let function = try Classifier(seed: 3).function(batch: .symbol("batch"))
    var results: [[Tensor]] = []
    for threads in 1...2 {
      var session = try session(function, plan(), Classifier.examples(40, seed: 4), threads: threads)
      while !session.isDone { try session.runEpoch() }
      results.append(bits(session))
    }
    #expect(results[0] == results[1] && !results[0].isEmpty)
  }

  /// Orders follow from the seed, and each takes every example once.
  @Test func ordersFollowFromTheSeed() {
    func order(_ seed: UInt64?) -> BatchOrder {
      BatchOrder(count: 50, validationShare: 0.2, batchSize: 8, dropsLast: false, seed: seed)
    }
    let batches = order(1).batches(epoch: 0)
    #expect(batches.map { $0.count } == [8, 8, 8, 8, 8] && Set(batches.joined()) == Set(0..<40))
    #expect(order(1).batches(epoch: 0) == batches && order(2).batches(epoch: 0) != batches)
    #expect(order(1).batches(epoch: 1) != batches)
    #expect(order(nil).batches(epoch: 3).flatMap { $0 } == Array(0..<40))
  }

  /// Training that goes on from a checkpoint gives the bits of one that was not interrupted.
  @Test func resumes() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-training-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let function = try Classifier(seed: 5).function(batch: .symbol("batch"))
    func make(_ seed: UInt64 = 7) throws -> TrainingSession {
      let plan = plan {
        ($0.epochs, $0.seed, $0.validationShare, $0.patience, $0.settings) = (4, seed, 0.2, 2, [:])
      }
      return try session(function, plan, Classifier.examples(30, seed: 6), optimizer: Adam())
    }
    var whole = try make()
    while !whole.isDone { try whole.runEpoch() }
    var first = try make()
    let kept = Checkpoint(folder: folder.path(), digest: first.digest)
    #expect(try !kept.restore(&first))
    for _ in 0..<2 {
      try first.runEpoch()
      try kept.write(first)
    }
    var second = try make()
    #expect(try Checkpoint(folder: folder.path(), digest: second.digest).restore(&second))
    #expect(second.history == first.history && !second.isDone)
    while !second.isDone { try second.runEpoch() }
    #expect(second.history == whole.history && bits(second) == bits(whole))
    var other = try make(8)
    let another = Checkpoint(folder: folder.path(), digest: other.digest)
    #expect(refusal { () throws(Diagnostic) in _ = try another.restore(&other) } == "update.checkpoint")
  }

  /// With a rate of 0 no epoch is better than the first.
  @Test func endsEarly() throws {
    let function = try Classifier(seed: 9).function(batch: .symbol("batch"))
    let plan = plan { ($0.epochs, $0.validationShare, $0.patience, $0.settings) = (9, 0.5, 2, ["learningRate": 0]) }
    var session = try session(function, plan, Classifier.examples(12, seed: 1))
    while !session.isDone { try session.runEpoch() }
    #expect(session.history.count == 3)
  }
}

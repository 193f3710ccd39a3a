import MLCCompiler

/// Which examples each step of training takes.
package struct BatchOrder: Sendable {
  /// The numbers of the examples that are trained on, and of those that only measure.
  package let training: [Int], validation: [Int]
  package let batchSize: Int
  /// Whether a last batch that is smaller is left out.
  package let dropsLast: Bool
  private let seed: UInt64?

  /// Without a `seed` examples come as they stand. The last `validationShare` of them, rounded, only measure.
  package init(count: Int, validationShare: Double, batchSize: Int, dropsLast: Bool, seed: UInt64?) {
    let held = Int((Double(count) * validationShare).rounded())
    (training, validation) = (Array(0..<count - held), Array(count - held..<count))
    (self.batchSize, self.dropsLast, self.seed) = (batchSize, dropsLast, seed)
  }

  /// The batches of an epoch, 0 for the first: they follow from the seed and its number alone.
  package func batches(epoch: Int) -> [ArraySlice<Int>] {
    guard let seed else { return divided(training) }
    var generator = SeededGenerator(seed: seed, name: "epoch \(epoch)")
    return divided(training.shuffled(using: &generator))
  }

  /// How many examples no batch of an epoch takes, those that only measure among them.
  package var omitted: Int {
    dropsLast ? training.count % batchSize + validation.count % batchSize : 0
  }

  package var validationBatches: [ArraySlice<Int>] { divided(validation) }

  private func divided(_ numbers: [Int]) -> [ArraySlice<Int>] {
    let end = dropsLast ? numbers.count / batchSize * batchSize : numbers.count
    return stride(from: 0, to: end, by: batchSize).map { numbers[$0..<min($0 + batchSize, end)] }
  }
}

import CoreML
import Foundation
import Synchronization

/// A network that reads digits, and becomes better at those that it is shown.
struct DigitReader: Sendable {
  /// The compiled model.
  let url: URL

  /// As the network was trained, on digits of many hands.
  static var original: DigitReader { DigitReader(url: Digits.urlOfModelInThisBundle) }

  /// The share of `digits` that it reads right.
  func accuracy(_ digits: [Digit]) throws -> Double {
    let answers = try Digits(contentsOf: url).predictions(inputs: digits.map { DigitsInput(counts: $0.array) })
    let right = zip(answers, digits).count { $0.digit == Int64($1.value) }
    return Double(right) / Double(digits.count)
  }

  /// Trains all its weights by `examples`, and writes the reader that results to `url`, a folder `….mlmodelc`. Answers
  /// the loss of each epoch.
  func learn(_ examples: [Digit], to url: URL) async throws -> (reader: DigitReader, losses: [Double]) {
    let data = MLArrayBatchProvider(
      array: examples.map { DigitsTrainingInput(counts: $0.array, digit: Int64($0.value)) }
    )
    let losses = Losses()
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let handlers = MLUpdateProgressHandlers(forEvents: .epochEnd) { context in
        losses.append(context.metrics[.lossValue] as? Double ?? .nan)
      } completionHandler: { context in
        done.resume(
          with: Result {
            if let error = context.task.error { throw error }
            try context.model.write(to: url)
          }
        )
      }
      do {
        try MLUpdateTask(forModelAt: self.url, trainingData: data, progressHandlers: handlers).resume()
      } catch { done.resume(throwing: error) }
    }
    return (DigitReader(url: url), losses.values)
  }

  /// What handlers are told, on a thread that is not the caller's.
  private final class Losses: Sendable {
    private let content = Mutex<[Double]>([])
    var values: [Double] { content.withLock { $0 } }
    func append(_ value: Double) { content.withLock { $0.append(value) } }
  }
}

import CoreML
import Foundation
import Synchronization

/// Predictions on one model by many threads at once, for a while: whether every result is bit for bit that of a lone
/// prediction, and whether memory stays as it is.
struct Soak {
  var path: String
  var threads = 64
  var seconds = 600.0

  private static let inputs = 8
  /// Samples a second; samples are kept in memory that is there before the first is taken.
  private static let rate = 20.0

  private final class Tally: Sendable {
    let predictions = Atomic<Int>(0), wrong = Atomic<Int>(0), failed = Atomic<Int>(0), running = Atomic<Int>(0)
    /// Threads that have had their first predictions, and with them what memory a thread takes.
    let warm = Atomic<Int>(0)
    let stops = Atomic<Bool>(false)
  }

  /// One input and the bytes of each output that a lone prediction gave.
  private struct Case: @unchecked Sendable {  // read only, once it is made
    let features: MLDictionaryFeatureProvider
    let expected: [String: [UInt8]]
  }

  /// Prints one JSON object. Whether all is well: no prediction failed or differed, and memory is flat within 1 %.
  func run() throws -> Bool {
    let model = try MLModel(contentsOf: URL(filePath: path))
    let cases = try (0..<Self.inputs).map { try makeCase(model, seed: $0) }
    let tally = Tally()
    for number in 0..<threads {
      tally.running.add(1, ordering: .relaxed)
      let thread = Thread {
        Self.predict(model, cases, from: number, tally)
        tally.running.subtract(1, ordering: .releasing)
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    while tally.warm.load(ordering: .relaxed) < threads { usleep(1000) }
    let samples = sample()
    tally.stops.store(true, ordering: .relaxed)
    while tally.running.load(ordering: .acquiring) > 0 { usleep(1000) }
    return report(tally, samples)
  }

  private static func predict(_ model: MLModel, _ cases: [Case], from start: Int, _ tally: Tally) {
    var number = start
    while !tally.stops.load(ordering: .relaxed) {
      let item = cases[number % cases.count]
      number += 1
      if let output = try? model.prediction(from: item.features) {
        if bytes(output) != item.expected { tally.wrong.add(1, ordering: .relaxed) }
      } else {
        tally.failed.add(1, ordering: .relaxed)
      }
      tally.predictions.add(1, ordering: .relaxed)
      if number == start + 4 * cases.count { tally.warm.add(1, ordering: .relaxed) }
    }
  }

  private func makeCase(_ model: MLModel, seed: Int) throws -> Case {
    var values: [String: Any] = [:]
    for (name, feature) in model.modelDescription.inputDescriptionsByName {
      guard let constraint = feature.multiArrayConstraint else { continue }
      let array = try MLMultiArray(shape: constraint.shape, dataType: constraint.dataType)
      let isInteger = constraint.dataType == .int32
      for index in 0..<array.count {
        let number = (index * 7919 + seed * 104_729) % 997
        array[index] = isInteger ? NSNumber(value: number % 2) : NSNumber(value: Float(number) / 997 - 0.5)
      }
      values[name] = array
    }
    let features = try MLDictionaryFeatureProvider(dictionary: values)
    return Case(features: features, expected: Self.bytes(try model.prediction(from: features)))
  }

  private static func bytes(_ output: any MLFeatureProvider) -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for name in output.featureNames {
      output.featureValue(for: name)?.multiArrayValue?.withUnsafeBytes { result[name] = Array($0) }
    }
    return result
  }

  // MARK: Memory

  /// Anonymous memory in bytes, a sample after the other until the time is over.
  private func sample() -> [Int] {
    var samples = [Int](repeating: 0, count: max(8, Int(seconds * Self.rate)))
    let start = ContinuousClock.now
    for index in samples.indices {
      let due = start + .seconds(seconds * Double(index + 1) / Double(samples.count))
      usleep(UInt32(max(0, (due - ContinuousClock.now) / .microseconds(1))))
      samples[index] = ProcessMemory.now.anonymous
    }
    return samples
  }

  /// The most of the last quarter of the time is compared with the most of the second; in the first all contexts come
  /// to be.
  private func report(_ tally: Tally, _ samples: [Int]) -> Bool {
    let quarter = samples.count / 4
    func most(_ number: Int) -> Int { samples[number * quarter..<(number + 1) * quarter].max()! }
    let (before, after) = (most(1), most(3))
    let growth = Double(after) / Double(max(1, before)) - 1
    let (wrong, failed) = (tally.wrong.load(ordering: .relaxed), tally.failed.load(ordering: .relaxed))
    let figures: [(String, String)] = [
      ("threads", "\(threads)"), ("seconds", "\(seconds)"),
      ("predictions", "\(tally.predictions.load(ordering: .relaxed))"), ("wrong", "\(wrong)"), ("failed", "\(failed)"),
      ("anonymous_mb_before", megabytes(before)), ("anonymous_mb_after", megabytes(after)),
      ("growth", String(format: "%.5f", growth)),
    ]
    print("{" + figures.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}")
    return wrong == 0 && failed == 0 && growth <= 0.01
  }

  private func megabytes(_ bytes: Int) -> String { String(format: "%.3f", Double(bytes) / 1e6) }
}

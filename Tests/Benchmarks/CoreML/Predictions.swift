import CoreML
import Foundation

/// Zeros for every input.
func zeros(_ model: MLModel) throws -> MLDictionaryFeatureProvider {
  var values: [String: Any] = [:]
  for (name, feature) in model.modelDescription.inputDescriptionsByName {
    guard let constraint = feature.multiArrayConstraint else { continue }
    values[name] = try MLMultiArray(shape: constraint.shape, dataType: constraint.dataType)
  }
  return try MLDictionaryFeatureProvider(dictionary: values)
}

/// Wall and processor time since the program began.
private struct Moment {
  private let wall = ContinuousClock.now
  private let processor = clock()

  /// Milliseconds that have gone by.
  var elapsed: (wall: Double, processor: Double) {
    ((ContinuousClock.now - wall) / .milliseconds(1), Double(clock() - processor) / Double(CLOCKS_PER_SEC) * 1000)
  }
}

/// Predictions one after the other and eight at a time, in turns.
func measurePredictions(_ path: String) async throws {
  let model = try MLModel(contentsOf: URL(fileURLWithPath: path))
  let (rounds, tasks, each) = (7, 8, 4)
  _ = try await model.prediction(from: zeros(model))
  var (serial, together): ([(wall: Double, processor: Double)], [(wall: Double, processor: Double)]) = ([], [])
  for _ in 0..<rounds {
    let start = Moment()
    for _ in 0..<tasks * each { _ = try await model.prediction(from: zeros(model)) }
    serial.append(start.elapsed)
    let middle = Moment()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask { for _ in 0..<each { _ = try await model.prediction(from: zeros(model)) } }
      }
      try await group.waitForAll()
    }
    together.append(middle.elapsed)
  }
  func median(_ times: [Double]) -> Double { times.sorted()[rounds / 2] / Double(tasks * each) }
  func line(_ name: String, _ times: [(wall: Double, processor: Double)]) -> String {
    let (wall, processor) = (median(times.map { $0.wall }), median(times.map { $0.processor }))
    let figures = String(format: "%10.1f per second, %8.3f ms of processor time each", 1000 / wall, processor)
    return name.padding(toLength: 20, withPad: " ", startingAt: 0) + figures
  }
  print("threads for one prediction: \(ProcessInfo.processInfo.environment["MLC_THREADS"] ?? "all")")
  print(line("one after the other", serial))
  print(line("eight at a time", together))
  print(String(format: "ratio %22.2f", median(serial.map { $0.wall }) / median(together.map { $0.wall })))
}

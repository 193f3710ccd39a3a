import CoreML
import Foundation

// `coreml-bench arrays` measures access to elements; `coreml-bench predictions MODEL.mlmodelc` predictions one after the other
// and eight at a time. README.md beside says how to read the figures.

/// Nanoseconds that `body` takes, the least of `turns`.
func nanoseconds(_ turns: Int, _ body: () -> Void) -> Double {
  var least = Double.infinity
  for _ in 0..<turns {
    let start = ContinuousClock.now
    body()
    least = min(least, (ContinuousClock.now - start) / .nanoseconds(1))
  }
  return least
}

/// Keeps results from being optimised away.
@inline(never) func use(_ number: Float) { if number == .pi { print("π") } }

func measureArrays() throws {
  let count = 1 << 20
  let numbers = (0..<count).map { Float($0 % 97) }
  let array = try MLMultiArray(numbers)
  let shaped = MLShapedArray<Float>(array)
  var plain = numbers
  func row(_ name: String, _ turns: Int, _ baseline: Double?, _ body: () -> Void) -> Double {
    let time = nanoseconds(turns, body) / Double(count)
    let ratio = baseline.map { String(format: "  %.2f × an Array's", time / $0) } ?? ""
    print(name.padding(toLength: 44, withPad: " ", startingAt: 0) + String(format: "%8.3f ns", time) + ratio)
    return time
  }
  let read = row("read an Array by index", 30, nil) {
    var sum: Float = 0
    for index in 0..<plain.count { sum += plain[index] }
    use(sum)
  }
  _ = row("read MLMultiArray by index, Float", 30, read) {
    var sum: Float = 0
    for index in 0..<array.count { sum += array[index] }
    use(sum)
  }
  _ = row("read MLMultiArray by index, NSNumber", 3, read) {
    var sum: Float = 0
    for index in 0..<array.count { sum += array[index].floatValue }
    use(sum)
  }
  let write = row("write an Array by index", 30, nil) {
    for index in 0..<plain.count { plain[index] = Float(index & 15) }
    use(plain[7])
  }
  _ = row("write MLMultiArray by index, Float", 30, write) {
    for index in 0..<array.count { array[index] = Float(index & 15) }
    use(array[7])
  }
  let bulk = row("sum an Array's buffer", 30, nil) {
    plain.withUnsafeBufferPointer { use($0.reduce(0, +)) }
  }
  _ = row("sum MLMultiArray's buffer", 30, bulk) {
    array.withUnsafeBufferPointer(ofType: Float.self) { use($0.reduce(0, +)) }
  }
  _ = row("sum MLShapedArray's buffer", 30, bulk) {
    shaped.withUnsafeShapedBufferPointer { elements, _, _ in use(elements.reduce(0, +)) }
  }
}

func inputs(_ model: MLModel) throws -> MLDictionaryFeatureProvider {
  var values: [String: Any] = [:]
  for (name, feature) in model.modelDescription.inputDescriptionsByName {
    guard let constraint = feature.multiArrayConstraint else { continue }
    values[name] = try MLMultiArray(shape: constraint.shape, dataType: constraint.dataType)
  }
  return try MLDictionaryFeatureProvider(dictionary: values)
}

func measurePredictions(_ path: String) async throws {
  let model = try MLModel(contentsOf: URL(fileURLWithPath: path))
  let (rounds, tasks, each) = (5, 8, 4)
  _ = try await model.prediction(from: inputs(model))
  var (serial, together): ([Double], [Double]) = ([], [])
  for _ in 0..<rounds {
    let start = ContinuousClock.now
    for _ in 0..<tasks * each {
      let input = try inputs(model)
      _ = try await model.prediction(from: input)
    }
    let middle = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<each {
            let input = try inputs(model)
            _ = try await model.prediction(from: input)
          }
        }
      }
      try await group.waitForAll()
    }
    serial.append(Double(tasks * each) / ((middle - start) / .seconds(1)))
    together.append(Double(tasks * each) / ((ContinuousClock.now - middle) / .seconds(1)))
  }
  serial.sort()
  together.sort()
  let threads = ProcessInfo.processInfo.environment["MLC_THREADS"] ?? "all"
  print(
    "threads for one prediction: \(threads)",
    String(format: "one after the other %10.1f per second", serial[rounds / 2]),
    String(format: "eight at a time     %10.1f per second", together[rounds / 2]),
    String(format: "ratio               %10.2f", together[rounds / 2] / serial[rounds / 2]),
    separator: "\n"
  )
}

switch CommandLine.arguments.dropFirst().first {
case "arrays": try measureArrays()
case "predictions" where CommandLine.arguments.count > 2: try await measurePredictions(CommandLine.arguments[2])
default: print("coreml-bench arrays | coreml-bench predictions MODEL.mlmodelc")
}

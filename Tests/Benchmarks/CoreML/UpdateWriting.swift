import CoreML
import Foundation
import Synchronization

/// Updates a model by examples that follow from its description, says so in a line, then writes it `times` times to
/// `target`: the model as it was and what it has become in turn.
func writeUpdates(_ compiled: URL, to target: URL, times: Int) async throws {
  let models = Mutex<[any MLModel & MLWritable]>([])
  let description = try MLModel(contentsOf: compiled).modelDescription
  let examples = MLArrayBatchProvider(array: try (0..<6).map { try example($0, description) })
  let context: MLUpdateContext = try await withCheckedThrowingContinuation { continuation in
    let handlers = MLUpdateProgressHandlers(forEvents: .trainingBegin) { context in
      models.withLock { $0.append(context.model) }
    } completionHandler: {
      continuation.resume(returning: $0)
    }
    do {
      try MLUpdateTask(forModelAt: compiled, trainingData: examples, configuration: nil, progressHandlers: handlers)
        .resume()
    } catch { continuation.resume(throwing: error) }
  }
  if let error = context.task.error { throw error }
  FileHandle.standardOutput.write(Data("learnt\n".utf8))
  let both = models.withLock { $0 } + [context.model]
  for number in 0..<times { try both[number % both.count].write(to: target) }
}

private func example(_ number: Int, _ description: MLModelDescription) throws -> MLDictionaryFeatureProvider {
  var values: [String: MLFeatureValue] = [:]
  for (name, feature) in description.trainingInputDescriptionsByName {
    let label = description.classLabels.map { $0[number % $0.count] }
    switch feature.type {
    case .string: values[name] = MLFeatureValue(string: label as? String ?? "class \(number % 3)")
    case .int64: values[name] = MLFeatureValue(int64: (label as? NSNumber)?.int64Value ?? Int64(number % 3))
    case .double: values[name] = MLFeatureValue(double: Double(number) / 4)
    default: values[name] = MLFeatureValue(multiArray: try array(number, feature.multiArrayConstraint))
    }
  }
  return try MLDictionaryFeatureProvider(dictionary: values)
}

/// Numbers from -1 to 1; of integers 0 or 1, which are classes.
private func array(_ number: Int, _ constraint: MLMultiArrayConstraint?) throws -> MLMultiArray {
  guard let constraint else { throw MLModelError(.featureType) }
  let array = try MLMultiArray(shape: constraint.shape, dataType: constraint.dataType)
  for place in 0..<array.count {
    let (whole, some) = (number % 2, Double((number * 31 + place * 7919) % 1000) / 500 - 1)
    array[place] = constraint.dataType == .int32 ? NSNumber(value: whole) : NSNumber(value: some)
  }
  return array
}

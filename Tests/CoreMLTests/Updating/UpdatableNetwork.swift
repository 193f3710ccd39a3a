import CoreML
import Foundation
import TestSupport
import Testing

/// A network that coremltools made updatable, its examples, and what numpy says that it learns
/// (`Tests/Corpora/coreml/make_updatable.py`).
struct UpdatableNetwork {
  static let names = [
    "classes_sgd", "exact", "large", "last_layer", "numbers_adam", "picture_labels", "picture_numbers",
    "pipeline_labels", "pipeline_numbers", "pipeline_picture", "scaled",
  ]

  let compiled: URL
  let record: UpdateRecord
  let folder: Workspace

  init(_ name: String) async throws {
    folder = try Workspace()
    let archive = try ModelArchive("updatable.zip")
    record = try archive.record(name)
    compiled = try await archive.compiled(name)
  }

  func input(_ place: Int) throws -> MLMultiArray {
    let array = try MLMultiArray(shape: record.shape.map { NSNumber(value: $0) }, dataType: .float32)
    for (index, number) in record.examples[place].enumerated() { array[index] = NSNumber(value: number) }
    return array
  }

  /// Inputs alone.
  func features(_ place: Int) throws -> any MLFeatureProvider {
    try MLDictionaryFeatureProvider(dictionary: ["x": try input(place)])
  }

  /// Examples with these numbers, all if not given. `target` takes the place of theirs.
  func batch(_ numbers: [Int]? = nil, target: MLFeatureValue? = nil) throws -> MLArrayBatchProvider {
    MLArrayBatchProvider(
      array: try (numbers ?? Array(record.examples.indices)).map { place in
        try MLDictionaryFeatureProvider(dictionary: [
          "x": MLFeatureValue(multiArray: try input(place)), record.target: try target ?? self.target(place),
        ])
      }
    )
  }

  private func target(_ place: Int) throws -> MLFeatureValue {
    switch record.targets[place] {
    case .label(let label): MLFeatureValue(string: label)
    case .number(let number) where record.target == "classLabel": MLFeatureValue(int64: Int64(number))
    case .number(let number): MLFeatureValue(multiArray: try MLMultiArray([Int32(number)]))
    case .numbers(let numbers): MLFeatureValue(multiArray: try MLMultiArray(numbers))
    }
  }

  /// The context of an update's end; what handlers were told goes to `progress`.
  func update(
    _ batch: any MLBatchProvider,
    _ parameters: [MLParameterKey: Any]? = nil,
    events: MLUpdateProgressEvent = [],
    progress: (@Sendable (MLUpdateContext) -> Void)? = nil
  ) async throws -> MLUpdateContext {
    try await updated(compiled, batch, parameters, events: events, progress: progress)
  }
}

extension ModelArchive {
  /// Compiles a model by the command, as applications do.
  func compiled(_ name: String) async throws -> URL {
    #expect(Sources.commandIsNamed)
    return try await MLModel.compileModel(at: model(name))
  }
}

/// The context of an update's end; what handlers were told goes to `progress`.
func updated(
  _ compiled: URL,
  _ batch: any MLBatchProvider,
  _ parameters: [MLParameterKey: Any]? = nil,
  events: MLUpdateProgressEvent = [],
  progress: (@Sendable (MLUpdateContext) -> Void)? = nil
) async throws -> MLUpdateContext {
  let configuration = MLModelConfiguration()
  configuration.parameters = parameters
  return try await withCheckedThrowingContinuation { continuation in
    do {
      let handlers = MLUpdateProgressHandlers(forEvents: events, progressHandler: progress) {
        continuation.resume(returning: $0)
      }
      let task = try MLUpdateTask(
        forModelAt: compiled,
        trainingData: batch,
        configuration: configuration,
        progressHandlers: handlers
      )
      task.resume()
    } catch { continuation.resume(throwing: error) }
  }
}

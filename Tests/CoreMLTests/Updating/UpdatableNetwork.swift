import CoreML
import Foundation
import MLCCore
import MLCTensorIO
import Testing

/// A network that coremltools made updatable, its examples, and what numpy says that it learns
/// (`Tests/Corpora/coreml/make_updatable.py`).
struct UpdatableNetwork {
  static let names = ["classes_sgd", "exact", "last_layer", "numbers_adam", "picture_labels", "picture_numbers"]

  let compiled: URL
  let record: Record
  let folder: Workspace

  struct Record: Decodable {
    let shape: [Int], target: String
    let examples: [[Float]], targets: [Target]
    let losses: [Double]
    /// Of each layer its weights and its biases.
    let weights: [String: [[Double]]]
  }

  enum Target: Decodable {
    case label(String)
    case number(Double)
    case numbers([Double])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let label = try? container.decode(String.self) {
        self = .label(label)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .numbers(try container.decode([Double].self))
      }
    }
  }

  init(_ name: String) async throws {
    let folder = try Workspace()
    self.folder = folder
    #expect(Sources.commandIsNamed)
    let path = Sources.root.appending(path: "Tests/Corpora/coreml/updatable.zip").path()
    let archive = try ZipReader(try MappedFile(path: path).storage, format: "zip")
    for entry in try archive.entries() where entry.name.hasPrefix("\(name).") {
      let storage = try archive.unpack(entry)
      try withExtendedLifetime(storage) { try Data(storage.bytes).write(to: folder.url.appending(path: entry.name)) }
    }
    record = try JSONDecoder().decode(
      Record.self,
      from: Data(contentsOf: folder.url.appending(path: "\(name).json"))
    )
    compiled = try await MLModel.compileModel(at: folder.url.appending(path: "\(name).mlmodel"))
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
        let own: MLFeatureValue
        switch record.targets[place] {
        case .label(let label): own = MLFeatureValue(string: label)
        case .number(let number) where record.target == "classLabel": own = MLFeatureValue(int64: Int64(number))
        case .number(let number):
          own = MLFeatureValue(multiArray: try MLMultiArray([Int32(number)]))
        case .numbers(let numbers): own = MLFeatureValue(multiArray: try MLMultiArray(numbers))
        }
        return try MLDictionaryFeatureProvider(
          dictionary: ["x": MLFeatureValue(multiArray: try input(place)), record.target: target ?? own]
        )
      }
    )
  }

  /// The context of an update's end; what handlers were told goes to `progress`.
  func update(
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
}

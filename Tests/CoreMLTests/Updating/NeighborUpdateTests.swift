import CoreML
import Foundation
import MLCCore
import MLCTensorIO
import Testing

/// Nearest neighbours to which an application adds samples, against scikit-learn with the same samples
/// (`Tests/Corpora/coreml/make_neighbors.py`).
@Suite struct NeighborUpdateTests {
  private struct Record: Decodable {
    let stages: [Stage]

    struct Stage: Decodable {
      let samples: [Double], classes: [Label], members: [Int], neighbors: Int
      let cases: [Case]
    }

    struct Case: Decodable {
      let x: [Double], label: Label, keys: [Label], values: [Double]
    }

    enum Label: Decodable, Hashable {
      case text(String)
      case number(Int64)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
          self = .text(text)
        } else {
          self = .number(try container.decode(Int64.self))
        }
      }

      var value: MLFeatureValue {
        switch self {
        case .text(let text): MLFeatureValue(string: text)
        case .number(let number): MLFeatureValue(int64: number)
        }
      }
      var key: AnyHashable {
        switch self {
        case .text(let text): text
        case .number(let number): NSNumber(value: number)
        }
      }
    }
  }

  @Test(arguments: ["texts_inverse_distance_linear_0", "integers_uniform_linear_0", "texts_uniform_kd_tree_2"])
  func samplesAreAdded(name: String) async throws {
    let folder = try Workspace()
    #expect(Sources.commandIsNamed)
    let path = Sources.root.appending(path: "Tests/Corpora/coreml/neighbors.zip").path()
    let archive = try ZipReader(try MappedFile(path: path).storage, format: "zip")
    for entry in try archive.entries() where entry.name.hasPrefix("\(name).") {
      let storage = try archive.unpack(entry)
      try withExtendedLifetime(storage) { try Data(storage.bytes).write(to: folder.url.appending(path: entry.name)) }
    }
    let data = try Data(contentsOf: folder.url.appending(path: "\(name).json"))
    let record = try JSONDecoder().decode(Record.self, from: data)
    var compiled = try await MLModel.compileModel(at: folder.url.appending(path: "\(name).mlmodel"))
    let description = try MLModel(contentsOf: compiled).modelDescription
    #expect(description.isUpdatable && Set(description.trainingInputDescriptionsByName.keys) == ["x", "label"])
    for (number, stage) in record.stages.enumerated() {
      if number > 0 {
        let known = record.stages[number - 1].members.count
        let added = (known..<stage.members.count).map { place in
          (Array(stage.samples[2 * place..<2 * place + 2]), stage.classes[stage.members[place]])
        }
        let context = try await update(compiled, added, stage.neighbors)
        #expect(context.task.error == nil)
        compiled = folder.url.appending(path: "stage\(number).mlmodelc")
        try context.model.write(to: compiled)
        try check(context.model, stage, "stage \(number), the context's")
      }
      let configuration = MLModelConfiguration()
      configuration.parameters = [.numberOfNeighbors: stage.neighbors]
      let model = try MLModel(contentsOf: compiled, configuration: configuration)
      #expect(try model.parameterValue(for: .numberOfNeighbors) as? NSNumber == NSNumber(value: stage.neighbors))
      try check(model, stage, "stage \(number)")
    }
    #expect(record.stages.count > 1)
  }

  private func check(_ model: MLModel, _ stage: Record.Stage, _ place: String) throws {
    for (number, one) in stage.cases.enumerated() {
      let output = try model.prediction(from: try input(one.x))
      let label = try #require(output.featureValue(for: "label"))
      let wanted = one.label.value
      #expect(label.stringValue == wanted.stringValue && label.int64Value == wanted.int64Value, "\(place), \(number)")
      let scores = try #require(output.featureValue(for: "labelProbs")).dictionaryValue
      let keys = Set(scores.keys.map { "\($0)" })
      #expect(keys == Set(one.keys.map { "\($0.key)" }), "\(place), \(number)")
      for (key, value) in zip(one.keys, one.values) {
        let score = scores.first { "\($0.key)" == "\(key.key)" }?.value.doubleValue
        #expect(abs((score ?? .nan) - value) < 1e-9, "\(place), \(number)")
      }
    }
  }

  private func input(_ x: [Double]) throws -> MLDictionaryFeatureProvider {
    try MLDictionaryFeatureProvider(dictionary: ["x": try MLMultiArray(x.map { Float($0) })])
  }

  private func update(_ compiled: URL, _ added: [([Double], Record.Label)], _ neighbors: Int) async throws
    -> MLUpdateContext
  {
    let examples = try added.map { x, label in
      try MLDictionaryFeatureProvider(
        dictionary: ["x": MLFeatureValue(multiArray: try MLMultiArray(x.map { Float($0) })), "label": label.value]
      )
    }
    let configuration = MLModelConfiguration()
    configuration.parameters = [.numberOfNeighbors: neighbors]
    return try await withCheckedThrowingContinuation { continuation in
      do {
        try MLUpdateTask(
          forModelAt: compiled,
          trainingData: MLArrayBatchProvider(array: examples),
          configuration: configuration
        ) { continuation.resume(returning: $0) }.resume()
      } catch { continuation.resume(throwing: error) }
    }
  }
}

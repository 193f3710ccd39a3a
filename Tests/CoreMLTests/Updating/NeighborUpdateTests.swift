import CoreML
import Foundation
import TestSupport
import Testing

/// Nearest neighbours to which an application adds samples, against scikit-learn with the same samples
/// (`Tests/Corpora/coreml/make_neighbors.py`).
@Suite struct NeighborUpdateTests {
  static let names = [
    "texts_inverse_distance_linear_0", "integers_uniform_linear_0", "texts_uniform_kd_tree_2",
    "pipeline_classifier_network", "pipeline_classifier_scaler", "pipeline_plain_network", "pipeline_plain_scaler",
  ]

  @Test(arguments: names) func samplesAreAdded(name: String) async throws {
    let folder = try Workspace()
    let archive = try ModelArchive("neighbors.zip")
    let record: NeighborRecord = try archive.record(name)
    var compiled = try await archive.compiled(name)
    let description = try MLModel(contentsOf: compiled).modelDescription
    let inputs = Set(description.trainingInputDescriptionsByName.keys)
    #expect(description.isUpdatable && inputs == Set(record.inputs.map(\.name) + ["label"]))
    for (number, stage) in record.stages.enumerated() {
      if number > 0 {
        let added = try record.examples(record.stages[number - 1].members.count..<stage.members.count, of: stage)
        let context = try await updated(compiled, added, [.numberOfNeighbors: stage.neighbors])
        #expect(context.task.error == nil)
        compiled = folder.url.appending(path: "stage\(number).mlmodelc")
        try context.model.write(to: compiled)
        try check(context.model, record, stage, "stage \(number), the context's")
      }
      let configuration = MLModelConfiguration()
      configuration.parameters = [.numberOfNeighbors: stage.neighbors]
      let model = try MLModel(contentsOf: compiled, configuration: configuration)
      #expect(try model.parameterValue(for: .numberOfNeighbors) as? NSNumber == NSNumber(value: stage.neighbors))
      try check(model, record, stage, "stage \(number)")
    }
    #expect(record.stages.count > 1)
  }

  private func check(
    _ model: MLModel,
    _ record: NeighborRecord,
    _ stage: NeighborRecord.Stage,
    _ place: String
  ) throws {
    for (number, one) in stage.cases.enumerated() {
      let output = try model.prediction(from: try record.features(one.x))
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
}

extension NeighborRecord {
  /// A row as the model takes it, with `label` if it is an example.
  func features(_ row: [Double], _ label: Label? = nil) throws -> MLDictionaryFeatureProvider {
    var values: [String: Any] = [:]
    for (name, numbers) in split(row) {
      values[name] = numbers.count == 1 ? numbers[0] : try MLMultiArray(numbers.map { Float($0) })
    }
    if let label { values["label"] = label.value }
    return try MLDictionaryFeatureProvider(dictionary: values)
  }

  func examples(_ numbers: Range<Int>, of stage: Stage) throws -> MLArrayBatchProvider {
    MLArrayBatchProvider(
      array: try numbers.map { place in
        let row = Array(stage.rows[width * place..<width * (place + 1)])
        return try features(row, stage.classes[stage.members[place]])
      }
    )
  }
}

extension NeighborRecord.Label {
  var value: MLFeatureValue {
    switch self {
    case .text(let text): MLFeatureValue(string: text)
    case .number(let number): MLFeatureValue(int64: Int64(number))
    }
  }
  fileprivate var key: AnyHashable {
    switch self {
    case .text(let text): text
    case .number(let number): NSNumber(value: number)
    }
  }
}

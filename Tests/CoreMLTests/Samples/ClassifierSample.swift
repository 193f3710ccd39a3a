import CoreML
import Foundation
import Testing

// An application with a feature provider of its own, and a classifier whose answers it ranks.

/// What the sensor measured, as the model takes it.
private final class Measurement: MLFeatureProvider {
  let values: [Float]

  init(_ values: [Float]) { self.values = values }

  var featureNames: Set<String> { ["x"] }

  func featureValue(for featureName: String) -> MLFeatureValue? {
    guard featureName == "x", let array = try? MLMultiArray(shape: [1, 3], dataType: .float32) else { return nil }
    for (index, value) in values.enumerated() { array[[0, index] as [NSNumber]] = value as NSNumber }
    return MLFeatureValue(multiArray: array)
  }
}

private struct Classifier {
  let model: MLModel

  /// The classes from the likeliest on, each with its probability.
  func ranking(of measurement: Measurement) throws -> [(label: String, probability: Double)] {
    let output = try model.prediction(from: measurement)
    let name = model.modelDescription.predictedProbabilitiesName ?? ""
    let probabilities = output.featureValue(for: name)?.dictionaryValue as? [String: NSNumber] ?? [:]
    return probabilities.sorted { $0.value.doubleValue > $1.value.doubleValue }.map { ($0.key, $0.value.doubleValue) }
  }

  func label(of measurement: Measurement) throws -> String? {
    let name = model.modelDescription.predictedFeatureName ?? ""
    return try model.prediction(from: measurement).featureValue(for: name)?.stringValue
  }
}

@Suite struct ClassifierSample {
  @Test func classesAreRanked() throws {
    let classifier = Classifier(model: try MLModel(contentsOf: Models.classifier.get()))
    #expect(classifier.model.modelDescription.classLabels as? [String] == ["cat", "dog", "bird"])
    let ranking = try classifier.ranking(of: Measurement([0, 3, 1]))
    #expect(ranking.map { $0.label } == ["dog", "bird", "cat"])
    #expect(abs(ranking.reduce(0) { $0 + $1.probability } - 1) < 1e-6 && ranking[0].probability > 0.8)
    #expect(try classifier.label(of: Measurement([0, 3, 1])) == "dog")
  }

  @Test func batchesAreClassified() throws {
    let model = try MLModel(contentsOf: Models.classifier.get())
    let batch = MLArrayBatchProvider(
      array: (0..<30).map { index in
        Measurement((0..<3).map { $0 == index % 3 ? 5 : 0 })
      }
    )
    let results = try model.predictions(fromBatch: batch)
    let labels = (0..<results.count).compactMap { results.features(at: $0).featureValue(for: "label")?.stringValue }
    #expect(labels == (0..<30).map { ["cat", "dog", "bird"][$0 % 3] })
    let columns = try MLArrayBatchProvider(dictionary: [
      "x": [
        MLShapedArray<Float>(scalars: [9, 0, 0], shape: [1, 3]),
        MLShapedArray<Float>(scalars: [0, 0, 9], shape: [1, 3]),
      ]
    ])
    let others = try model.predictions(from: columns, options: MLPredictionOptions())
    #expect(others.features(at: 1).featureValue(for: "label")?.stringValue == "bird")
  }
}

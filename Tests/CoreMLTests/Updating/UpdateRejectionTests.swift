import CoreML
import Foundation
import TestSupport
import Testing

/// Examples and settings that updates of compiled models refuse.
@Suite struct UpdateRejectionTests {
  /// Why an update failed, before it began or as it ran.
  private func failure(_ compiled: URL, _ batch: any MLBatchProvider, _ parameters: [MLParameterKey: Any] = [:])
    async throws -> MLModelError
  {
    let error: (any Error)?
    do { error = try await updated(compiled, batch, parameters).task.error } catch let thrown { error = thrown }
    return try #require(error as? MLModelError)
  }

  private func expect(
    _ code: MLModelError.Code,
    _ says: String,
    _ error: MLModelError,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error.code == code && error.localizedDescription.contains(says), sourceLocation: sourceLocation)
  }

  @Test func emptyBatches() async throws {
    for name in ["classes_sgd", "pipeline_labels"] {
      let network = try await UpdatableNetwork(name)
      expect(.update, "no examples", try await failure(network.compiled, MLArrayBatchProvider(array: [])))
    }
    let neighbors = try await ModelArchive("neighbors.zip").compiled("pipeline_plain_scaler")
    expect(.update, "no examples", try await failure(neighbors, MLArrayBatchProvider(array: [])))
  }

  @Test func missingFeatures() async throws {
    let network = try await UpdatableNetwork("picture_labels")
    let error = try await failure(network.compiled, MLArrayBatchProvider(array: [try network.features(0)]))
    expect(.featureType, "classLabel", error)
  }

  @Test func wrongShapes() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let target = MLFeatureValue(multiArray: try MLMultiArray([Int32(0)]))
    let seven = MLFeatureValue(multiArray: try MLMultiArray([Float](repeating: 1, count: 7)))
    let wrong = try MLDictionaryFeatureProvider(dictionary: ["x": seven, "p_true": target])
    let good = try network.batch([0]).array
    expect(.featureType, "example 0", try await failure(network.compiled, MLArrayBatchProvider(array: [wrong] + good)))
    expect(.featureType, "example 1", try await failure(network.compiled, MLArrayBatchProvider(array: good + [wrong])))
    let two = MLFeatureValue(multiArray: try MLMultiArray([Int32(0), 1]))
    expect(.featureType, "example 0", try await failure(network.compiled, try network.batch(target: two)))
  }

  @Test func labelsOutsideTheClasses() async throws {
    let outside: [(String, MLFeatureValue)] = [
      ("picture_labels", MLFeatureValue(string: "cow")), ("pipeline_labels", MLFeatureValue(string: "")),
      ("picture_numbers", MLFeatureValue(int64: 0)), ("pipeline_picture", MLFeatureValue(int64: 1)),
      ("classes_sgd", MLFeatureValue(multiArray: try MLMultiArray([Int32(4)]))),
      ("classes_sgd", MLFeatureValue(multiArray: try MLMultiArray([Int32(-1)]))),
    ]
    for (name, target) in outside {
      let network = try await UpdatableNetwork(name)
      expect(.update, "example 0", try await failure(network.compiled, try network.batch(target: target)))
    }
  }

  @Test func targetsOfAnotherKind() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let text = try network.batch(target: MLFeatureValue(string: "2"))
    expect(.featureType, "p_true", try await failure(network.compiled, text))
  }

  @Test func settings() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let wrong: [(MLParameterKey, Any, String)] = [
      (.learningRate, 2.0, "'learningRate' of 2 is none of 0…1"), (.numberOfNeighbors, 2, "numberOfNeighbors"),
      (.seed, 2.5, "whole number"), (.momentum, "much", "String"), (.epochs, 0, "epochs"),
      (.miniBatchSize, 0, "miniBatchSize"),
    ]
    for (key, value, says) in wrong {
      expect(.parameters, says, try await failure(network.compiled, try network.batch(), [key: value]))
    }
  }

  @Test func lossesThatAreNoNumbers() async throws {
    let numbers = try await UpdatableNetwork("numbers_adam")
    for value in [Double.infinity, .nan] {
      let target = MLFeatureValue(multiArray: try MLMultiArray([value, 0, 0]))
      expect(.update, "no finite number", try await failure(numbers.compiled, try numbers.batch(target: target)))
    }
    let pipeline = try await UpdatableNetwork("pipeline_numbers")
    let x = MLFeatureValue(multiArray: try MLMultiArray([Float](repeating: .nan, count: 6)))
    let target = MLFeatureValue(multiArray: try MLMultiArray([0.0, 0]))
    let example = try MLDictionaryFeatureProvider(dictionary: ["x": x, "y_true": target])
    expect(.update, "no finite number", try await failure(pipeline.compiled, MLArrayBatchProvider(array: [example])))
  }

  // MARK: Neighbours

  @Test func samples() async throws {
    let archive = try ModelArchive("neighbors.zip")
    let compiled = try await archive.compiled("pipeline_classifier_network")
    let record: NeighborRecord = try archive.record("pipeline_classifier_network")
    let good = try record.features([1, 2, 3], .text("a"))
    func failure(_ wrong: MLDictionaryFeatureProvider) async throws -> MLModelError {
      try await self.failure(compiled, MLArrayBatchProvider(array: [good, wrong]))
    }
    expect(.update, "example 1", try await failure(try record.features([1, .nan, 3], .text("a"))))
    expect(.update, "example 1", try await failure(try record.features([1, 2, .infinity], .text("a"))))
    expect(.featureType, "example 1", try await failure(try record.features([1, 2, 3], .number(1))))
    expect(.featureType, "example 1", try await failure(try record.features([1, 2, 3])))
    let short = MLFeatureValue(multiArray: try MLMultiArray([Float(1), 2]))
    let wrong = try MLDictionaryFeatureProvider(dictionary: ["x": short, "label": "a"])
    expect(.featureType, "example 1", try await failure(wrong))
  }

  @Test func numbersOfNeighbors() async throws {
    let archive = try ModelArchive("neighbors.zip")
    // From 1 to 30, and 1, 4, 5 or 7.
    for (name, wrong) in [("texts_uniform_linear_0", [0, 31, -1]), ("texts_uniform_kd_tree_0", [2, 6, 8])] {
      let compiled = try await archive.compiled(name)
      let record: NeighborRecord = try archive.record(name)
      let batch = try record.examples(0..<1, of: record.stages[1])
      let allowed = record.range.map { $0.map { Int($0) } } ?? record.set.map { Int($0) }
      for number in wrong {
        #expect(!allowed.contains(number))
        let error = try await failure(compiled, batch, [.numberOfNeighbors: number])
        expect(.parameters, "numberOfNeighbors", error)
      }
      for number in allowed {
        #expect(try await updated(compiled, batch, [.numberOfNeighbors: number]).task.error == nil)
      }
    }
  }
}

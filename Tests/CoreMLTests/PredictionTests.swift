import CoreML
import Foundation
import Testing

// As people write it for Apple's systems.

@Suite struct PredictionTests {
  private func input(_ values: [Float], rows: Int) throws -> MLDictionaryFeatureProvider {
    let x = try MLMultiArray(shape: [NSNumber(value: rows), 3], dataType: .float32)
    for (index, value) in values.enumerated() { x[index] = NSNumber(value: value) }
    let ids = try MLMultiArray([3, -4])
    return try MLDictionaryFeatureProvider(dictionary: ["x": x, "ids": MLFeatureValue(multiArray: ids)])
  }

  @Test func predicts() throws {
    let configuration = MLModelConfiguration()
    configuration.computeUnits = .cpuOnly
    let model = try MLModel(contentsOf: Models.affine.get(), configuration: configuration)
    let output = try model.prediction(from: input([1, 2, 3, 4, 5, 6], rows: 2))
    let y = try #require(output.featureValue(for: "y")?.multiArrayValue)
    #expect(y.shape == [2, 3] && y.dataType == .float32)
    #expect((0..<y.count).map { y[$0].floatValue } == [3, 5, 7, 9, 11, 13])
    let doubled = try #require(output.featureValue(for: "doubled")?.multiArrayValue)
    #expect(doubled.dataType == .int32 && doubled[0].intValue == 6 && doubled[1].intValue == -8)
    #expect(output.featureNames == ["y", "doubled"])
    #expect(model.configuration.computeUnits == .cpuOnly)
  }

  @Test func describesItself() throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let description = model.modelDescription
    let x = try #require(description.inputDescriptionsByName["x"])
    let constraint = try #require(x.multiArrayConstraint)
    #expect(x.type == .multiArray && !x.isOptional && constraint.dataType == .float32 && constraint.shape == [1, 3])
    #expect(constraint.shapeConstraint.type == .range)
    #expect(constraint.shapeConstraint.sizeRangeForDimension[0].rangeValue == NSRange(location: 1, length: 64))
    #expect(x.isAllowedValue(MLFeatureValue(multiArray: try MLMultiArray(shape: [64, 3], dataType: .float32))))
    #expect(!x.isAllowedValue(MLFeatureValue(multiArray: try MLMultiArray(shape: [65, 3], dataType: .float32))))
    #expect(!x.isAllowedValue(MLFeatureValue(double: 1)))
    #expect(description.metadata[.author] as? String == "Someone")
    #expect((description.metadata[.creatorDefinedKey] as? [String: String])?["labels"] == "a,b")
    #expect(MLModel.availableComputeDevices.count == 1)
    let ids = try #require(description.inputDescriptionsByName["ids"]?.multiArrayConstraint)
    #expect(ids.shapeConstraint.type == .enumerated && ids.shapeConstraint.enumeratedShapes == [[2]])
    #expect(x.imageConstraint == nil && x.dictionaryConstraint == nil && x.sequenceConstraint == nil)
  }

  @Test func enumeratesShapes() throws {
    let model = try MLModel(contentsOf: Models.enumerated.get())
    let x = try #require(model.modelDescription.inputDescriptionsByName["x"])
    let constraint = try #require(x.multiArrayConstraint)
    #expect(constraint.shape == [1, 4, 6] && constraint.shapeConstraint.type == .enumerated)
    #expect(constraint.shapeConstraint.enumeratedShapes == [[1, 4, 6], [1, 6, 4]])
    let y = try #require(model.modelDescription.outputDescriptionsByName["y"]?.multiArrayConstraint)
    #expect(y.shape == [] && y.shapeConstraint.enumeratedShapes == [[4, 6], [6, 4]])
    for (shape, isAllowed) in [([1, 4, 6], true), ([1, 6, 4], true), ([1, 4, 4], false)] as [([NSNumber], Bool)] {
      let array = try MLMultiArray(shape: shape, dataType: .float32)
      #expect(x.isAllowedValue(MLFeatureValue(multiArray: array)) == isAllowed)
      let answer = try? model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["x": array]))
      #expect((answer != nil) == isAllowed, "\(shape)")
    }
  }

  @Test func takesWhatAConfigurationSays() throws {
    let configuration = MLModelConfiguration()
    configuration.modelDisplayName = "Affine"
    configuration.computeUnits = .cpuAndNeuralEngine
    configuration.allowLowPrecisionAccumulationOnGPU = true
    configuration.functionName = "main"
    configuration.optimizationHints.reshapeFrequency = .infrequent
    configuration.optimizationHints.specializationStrategy = .fastPrediction
    let model = try MLModel(contentsOf: Models.affine.get(), configuration: configuration)
    configuration.computeUnits = .cpuOnly
    #expect(model.configuration.computeUnits == .cpuAndNeuralEngine && model.configuration.functionName == "main")
    #expect(model.configuration.optimizationHints == configuration.optimizationHints)
    #expect(model.configuration.allowLowPrecisionAccumulationOnGPU && model.configuration.modelDisplayName == "Affine")
    switch try #require(MLModel.availableComputeDevices.first) {
    case .cpu: break
    case .gpu, .neuralEngine: Issue.record("there is no such device")
    @unknown default: Issue.record("another device")
    }
    #expect(MLComputeDevice.allComputeDevices == MLModel.availableComputeDevices)
  }

  @Test func loadsWithoutWaiting() async throws {
    let model = try await MLModel.load(contentsOf: Models.affine.get(), configuration: MLModelConfiguration())
    let features = try input([0, 0, 0], rows: 1)
    let output = try await model.prediction(from: features)
    #expect(output.featureValue(for: "y")?.multiArrayValue?[0] == 1)
  }

  @Test func callsBack() async throws {
    let url = try Models.affine.get()
    let model = try await withCheckedThrowingContinuation { continuation in
      MLModel.load(contentsOf: url, configuration: MLModelConfiguration()) { continuation.resume(with: $0) }
    }
    #expect(model.modelDescription.outputDescriptionsByName.count == 2)
  }

  @Test func takesOtherElementTypesAndStrides() throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let x = MLMultiArray(shape: [2, 3], dataType: .double, strides: [5, 1])
    for index in 0..<6 { x[index] = NSNumber(value: index) }
    let provider = try MLDictionaryFeatureProvider(dictionary: ["x": x, "ids": try MLMultiArray([1, 2])])
    let y = try #require(model.prediction(from: provider).featureValue(for: "y")?.shapedArrayValue(of: Float.self))
    #expect(y.scalars == [1, 3, 5, 7, 9, 11])
  }

  @Test func writesIntoBackings() throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let backing = try MLMultiArray(shape: [1, 3], dataType: .float32)
    let options = MLPredictionOptions()
    options.outputBackings = ["y": backing]
    let output = try model.prediction(from: input([1, 2, 3], rows: 1), options: options)
    #expect(output.featureValue(for: "y")?.multiArrayValue === backing)
    #expect((0..<3).map { backing[$0].floatValue } == [3, 5, 7])
    #expect(output.featureValue(for: "doubled")?.multiArrayValue?[0] == 6)
    options.outputBackings = ["z": backing]
    #expect(throws: MLModelError.self) { try model.prediction(from: input([1, 2, 3], rows: 1), options: options) }
  }

  @Test func predictsBatches() throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let inputs = try (0..<50).map { try input([Float($0), 0, 0], rows: 1) }
    let outputs = try model.predictions(fromBatch: MLArrayBatchProvider(array: inputs))
    #expect(outputs.count == 50)
    for index in 0..<50 {
      #expect(outputs.features(at: index).featureValue(for: "y")?.multiArrayValue?[0].intValue == 2 * index + 1)
    }
  }

  @Test func explainsWhatDoesNotFit() throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    func message(_ dictionary: [String: Any]) throws -> String {
      let provider = try MLDictionaryFeatureProvider(dictionary: dictionary)
      do { _ = try model.prediction(from: provider) } catch MLModelError.featureType { return "feature type" } catch {
        return error.localizedDescription
      }
      return "none"
    }
    let ids = try MLMultiArray([1, 2])
    #expect(try message(["ids": ids]) == "feature type")
    #expect(try message(["ids": ids, "x": "text"]) == "feature type")
    #expect(try message(["ids": ids, "x": MLMultiArray(shape: [2, 4], dataType: .float32)]) == "feature type")
    #expect(try message(["ids": ids, "x": MLMultiArray(shape: [65, 3], dataType: .float32)]) == "feature type")
    #expect(throws: MLModelError.self) { try MLDictionaryFeatureProvider(dictionary: ["x": URL(filePath: "/")]) }
  }

  @Test func explainsWhatCannotBeLoaded() throws {
    func code(_ path: String, _ configure: (MLModelConfiguration) -> Void = { _ in }) -> MLModelError.Code? {
      let configuration = MLModelConfiguration()
      configure(configuration)
      do { _ = try MLModel(contentsOf: URL(filePath: path), configuration: configuration) } catch {
        return (error as? MLModelError)?.code
      }
      return nil
    }
    #expect(code("/nowhere/model.mlmodelc") == .io)
    #expect(code(Sources.fixtures.path()) == .io)
    #expect(code(Sources.fixtures.appending(path: "cache.mlpackage").path()) == .io)
    let model = try Models.affine.get().path()
    #expect(code(model) { $0.functionName = "other" } == .generic)
    #expect(code(model) { $0.parameters = [.learningRate: 1] } == .parameters)
  }

  @Test func honoursCancellation() async throws {
    let model = try MLModel(contentsOf: Models.heavy.get())
    let task = Task<Void, any Error> {
      let x = try MLMultiArray(shape: [64, 256], dataType: .float32)
      let provider = try MLDictionaryFeatureProvider(dictionary: ["x": x])
      // Ends by the cancellation alone.
      while true { _ = try await model.prediction(from: provider) }
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test func runsConcurrently() async throws {
    let model = try MLModel(contentsOf: Models.heavy.get())
    @Sendable func run(_ seed: Int) async throws -> [Float] {
      let x = try MLMultiArray(shape: [64, 256], dataType: .float32)
      for index in 0..<x.count { x[index] = NSNumber(value: Float((index + seed) % 7)) }
      let output = try await model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["x": x]))
      return output.featureValue(for: "y")?.shapedArrayValue(of: Float.self)?.scalars ?? []
    }
    var alone: [[Float]] = []
    for seed in 0..<8 { alone.append(try await run(seed)) }
    let together = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
      for seed in 0..<8 { group.addTask { (seed, try await run(seed)) } }
      return try await group.reduce(into: [Int: [Float]]()) { $0[$1.0] = $1.1 }
    }
    for seed in 0..<8 { #expect(together[seed] == alone[seed]) }
  }
}

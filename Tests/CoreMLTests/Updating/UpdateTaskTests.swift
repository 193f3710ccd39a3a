import CoreML
import Foundation
import Synchronization
import TestSupport
import Testing

/// Networks that learn in an application.
@Suite struct UpdateTaskTests {
  @Test(arguments: UpdatableNetwork.names) func lossesAndWeights(name: String) async throws {
    let network = try await UpdatableNetwork(name)
    let original = try MLModel(contentsOf: network.compiled)
    #expect(original.modelDescription.isUpdatable)
    #expect(Set(original.modelDescription.trainingInputDescriptionsByName.keys) == ["x", network.record.target])
    let losses = Mutex<[Double]>([])
    let context = try await network.update(try network.batch(), events: [.epochEnd]) { context in
      #expect(context.task.state == .running && context.event == .epochEnd)
      losses.withLock { all in
        #expect(context.metrics[.epochIndex] as? Int == all.count)
        all.append(context.metrics[.lossValue] as? Double ?? .nan)
      }
    }
    #expect(context.task.state == .completed && context.task.error == nil)
    let told = losses.withLock { $0 }
    #expect(told.count == network.record.losses.count)
    for (loss, expected) in zip(told, network.record.losses) {
      #expect(abs(loss - expected) <= 1e-4 * max(1, expected), "\(loss), not \(expected)")
    }
    #expect(context.metrics[.lossValue] as? Double == told.last)
    let written = network.folder.url.appending(path: "updated.mlmodelc")
    try context.model.write(to: written)
    let loaded = try MLModel(contentsOf: written)
    for model in [context.model, loaded] {
      for (layer, parameters) in network.record.weights {
        for (key, expected) in zip([MLParameterKey.weights, .biases], parameters) {
          let value = try #require(try model.parameterValue(for: key.scoped(to: layer)) as? MLMultiArray)
          let numbers = MLShapedArray<Float>(value).scalars
          let distance = zip(numbers, expected).map { abs(Double($0) - $1) }.max() ?? .infinity
          #expect(distance < 2e-4 && numbers.count == expected.count)
        }
      }
    }
    let input = try network.features(0)
    let (before, after) = (try answer(original, input), try answer(loaded, input))
    #expect(before != after)
    #expect(try answer(context.model, input) == after)
    #expect(try answer(MLModel(contentsOf: network.compiled), input) == before)
  }

  /// All outputs as texts.
  private func answer(_ model: MLModel, _ input: any MLFeatureProvider) throws -> [String] {
    let output = try model.prediction(from: input)
    return output.featureNames.sorted().map { name in
      let value = output.featureValue(for: name)
      if let array = value?.multiArrayValue { return "\(MLShapedArray<Float>(array).scalars)" }
      return "\(value?.dictionaryValue.sorted { "\($0.key)" < "\($1.key)" } ?? [])\(value?.stringValue ?? "")"
    }
  }

  @Test func handlersAreToldInOrder() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let told = Mutex<[String]>([])
    let parameters: [MLParameterKey: Any] = [.learningRate: 0.5]
    _ = try await network.update(
      try network.batch(),
      parameters,
      events: [.trainingBegin, .miniBatchEnd, .epochEnd]
    ) { context in
      #expect(!Thread.isMainThread)
      #expect(context.parameters[.learningRate] as? Double == 0.5)
      let place = context.metrics[.miniBatchIndex].map { "\($0)" } ?? ""
      told.withLock { $0.append("\(context.event.rawValue)\(place)") }
    }
    // 23 examples by 5.
    let epoch = ["40", "41", "42", "43", "44", "2"]
    #expect(told.withLock { $0 } == ["1"] + (0..<10).flatMap { _ in epoch })
  }

  @Test func shuffledExamplesGiveTheSameBits() async throws {
    let network = try await UpdatableNetwork("numbers_adam")
    func weights(_ seed: Int) async throws -> [Float] {
      let context = try await network.update(try network.batch(), [.shuffle: true, .seed: seed])
      let value = try context.model.parameterValue(for: MLParameterKey.weights.scoped(to: "a"))
      return MLShapedArray<Float>(try #require(value as? MLMultiArray)).scalars
    }
    let (first, second, other) = (try await weights(3), try await weights(3), try await weights(4))
    #expect(first == second && first != other)
  }

  @Test func settingsChangeOnTheWay() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let seen = Mutex<[Double]>([])
    _ = try await network.update(try network.batch(), events: [.epochEnd]) { context in
      seen.withLock { $0.append(context.metrics[.lossValue] as? Double ?? .nan) }
      context.task.resume(withParameters: [.learningRate: 0.0, .momentum: 0.0])
    }
    let losses = seen.withLock { $0 }
    // The first epoch learns, the others see what it left.
    #expect(losses.count == 10 && losses[0] != losses[1] && Set(losses[1...]).count == 1)
  }

  @Test func aModelOfALongTimeAgoStays() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let models = Mutex<[any MLModel & MLWritable]>([])
    _ = try await network.update(try network.batch(), events: [.miniBatchEnd]) { context in
      models.withLock { $0.append(context.model) }
    }
    let all = models.withLock { $0 }
    let input = try network.features(1)
    let answers = try all.map { try answer($0, input) }
    #expect(all.count == 50 && Set(answers).count == 50)
  }

  @Test func cancelled() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let before = try answer(MLModel(contentsOf: network.compiled), try network.features(0))
    let context = try await network.update(try network.batch(), events: [.miniBatchEnd]) { $0.task.cancel() }
    #expect(context.task.state == .failed && context.task.error is CancellationError)
    #expect(try answer(context.model, try network.features(0)) == before)
  }

  @Test func cancelledBeforeItBegins() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let batch = try network.batch()
    let context: MLUpdateContext = try await withCheckedThrowingContinuation { continuation in
      do {
        let task = try MLUpdateTask(forModelAt: network.compiled, trainingData: batch) {
          continuation.resume(returning: $0)
        }
        task.cancel()
        task.cancel()
        task.resume()
      } catch { continuation.resume(throwing: error) }
    }
    #expect(context.task.state == .failed && context.task.error is CancellationError)
  }

  /// Arrays that a model gives are the caller's.
  @Test func weightsAreCopies() async throws {
    let network = try await UpdatableNetwork("classes_sgd")
    let model = try MLModel(contentsOf: network.compiled)
    let key = MLParameterKey.weights.scoped(to: "a")
    let before = try answer(model, try network.features(0))
    let array = try #require(try model.parameterValue(for: key) as? MLMultiArray)
    for place in 0..<array.count { array[place] = 1000 }
    #expect(try answer(model, try network.features(0)) == before)
    #expect(try (model.parameterValue(for: key) as? MLMultiArray)?[0] != 1000)
  }

  @Test func trainingInputsAreGenerated() async throws {
    let network = try await UpdatableNetwork("picture_labels")
    let process = Process()
    process.executableURL = URL(filePath: Sources.command)
    process.arguments = ["generate", network.compiled.path(), "-o", network.folder.url.path(), "--class-name", "Pets"]
    process.standardOutput = nil
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let code = try String(contentsOf: network.folder.url.appending(path: "Pets.swift"), encoding: .utf8)
    #expect(code.contains("final class PetsTrainingInput: MLFeatureProvider"))
    #expect(code.contains("var classLabel: String") && code.contains("init(x: MLMultiArray, classLabel: String)"))
    #expect(!code.contains("learning-"))
  }

  @Test func aModelThatDoesNotLearn() throws {
    let url = try Models.affine.get()
    let batch = MLArrayBatchProvider(array: [try MLDictionaryFeatureProvider(dictionary: ["x": 1.0])])
    #expect { _ = try MLUpdateTask(forModelAt: url, trainingData: batch) { _ in } } throws: { error in
      (error as? MLModelError)?.code == .update
    }
    let model = try MLModel(contentsOf: url)
    #expect(!model.modelDescription.isUpdatable && model.modelDescription.parameterDescriptionsByKey.isEmpty)
    #expect(throws: MLModelError.self) { try model.parameterValue(for: .learningRate) }
  }
}

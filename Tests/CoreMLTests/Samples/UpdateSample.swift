import CoreML
import Foundation
import Synchronization
import TestSupport
import Testing

// An application that recognises its user's drawings: it learns from what they draw, and keeps what it has learnt.

/// A drawing with the label that its user gives it.
private struct LabeledDrawing {
  let drawing: MLMultiArray, label: String

  var featureValue: MLFeatureValue { MLFeatureValue(multiArray: drawing) }
}

private final class DrawingClassifier {
  enum Problem: Error { case untrained(any Error) }

  private let defaultModelURL: URL, updatedModelURL: URL
  private(set) var model: MLModel
  private(set) var hasUpdatedModel = false

  init(_ bundled: URL, in folder: URL) throws {
    defaultModelURL = bundled
    updatedModelURL = folder.appendingPathComponent("personalized.mlmodelc")
    model = try MLModel(contentsOf: defaultModelURL)
    try loadUpdatedModel()
  }

  private func loadUpdatedModel() throws {
    guard FileManager.default.fileExists(atPath: updatedModelURL.path) else { return }
    model = try MLModel(contentsOf: updatedModelURL)
    hasUpdatedModel = true
  }

  func label(of drawing: MLMultiArray) throws -> String? {
    let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["x": drawing]))
    return output.featureValue(for: model.modelDescription.predictedFeatureName ?? "")?.stringValue
  }

  private func trainingData(_ drawings: [LabeledDrawing]) throws -> any MLBatchProvider {
    let inputName = model.modelDescription.inputDescriptionsByName.keys.first ?? ""
    let outputName = model.modelDescription.predictedFeatureName ?? ""
    let providers = try drawings.map { drawing -> any MLFeatureProvider in
      let features = [inputName: drawing.featureValue, outputName: MLFeatureValue(string: drawing.label)]
      return try MLDictionaryFeatureProvider(dictionary: features)
    }
    return MLArrayBatchProvider(array: providers)
  }

  /// Learns from the drawings; `progress` is told of the loss of each epoch.
  func update(with drawings: [LabeledDrawing], progress: @escaping @Sendable (Double) -> Void) async throws {
    let url = hasUpdatedModel ? updatedModelURL : defaultModelURL
    let data = try trainingData(drawings)
    let target = updatedModelURL
    let _: Void = try await withCheckedThrowingContinuation { continuation in
      let progressHandler = { @Sendable (context: MLUpdateContext) in
        guard let loss = context.metrics[.lossValue] as? Double else { return }
        progress(loss)
        // What is good enough is not learnt further.
        if loss < 0.1 { context.task.resume(withParameters: [.learningRate: 0.0]) }
      }
      let completionHandler = { @Sendable (context: MLUpdateContext) in
        if let error = context.task.error { return continuation.resume(throwing: Problem.untrained(error)) }
        continuation.resume(with: Result { try Self.save(context.model, as: target) })
      }
      do {
        let handlers = MLUpdateProgressHandlers(
          forEvents: [.trainingBegin, .epochEnd],
          progressHandler: progressHandler,
          completionHandler: completionHandler
        )
        let task = try MLUpdateTask(
          forModelAt: url,
          trainingData: data,
          configuration: nil,
          progressHandlers: handlers
        )
        task.resume()
      } catch { continuation.resume(throwing: error) }
    }
    try loadUpdatedModel()
  }

  private static func save(_ model: any MLModel & MLWritable, as target: URL) throws {
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true, attributes: nil)
    try model.write(to: target)
  }

  func resetToDefault() throws {
    if hasUpdatedModel { try FileManager.default.removeItem(at: updatedModelURL) }
    (model, hasUpdatedModel) = (try MLModel(contentsOf: defaultModelURL), false)
  }
}

@Suite struct UpdateSample {
  @Test func drawingsAreLearnt() async throws {
    let network = try await UpdatableNetwork("picture_labels")
    let drawings = try network.record.targets.enumerated().compactMap { place, target -> LabeledDrawing? in
      guard case .label(let label) = target else { return nil }
      return LabeledDrawing(drawing: try network.input(place), label: label)
    }
    func right(_ classifier: DrawingClassifier) throws -> Int {
      try drawings.filter { try classifier.label(of: $0.drawing) == $0.label }.count
    }
    let classifier = try DrawingClassifier(network.compiled, in: network.folder.url)
    #expect(classifier.model.modelDescription.isUpdatable && !classifier.hasUpdatedModel)
    let before = try right(classifier)
    let losses = Mutex<[Double]>([])
    try await classifier.update(with: drawings) { loss in losses.withLock { $0.append(loss) } }
    let first = losses.withLock { $0 }
    #expect(first.count == 10 && first[9] < first[0] / 4)
    #expect(try right(classifier) > before)
    // What was learnt is there when the application begins again, and is learnt further.
    let again = try DrawingClassifier(network.compiled, in: network.folder.url)
    #expect(try again.hasUpdatedModel && right(again) == right(classifier))
    try await again.update(with: drawings) { loss in losses.withLock { $0.append(loss) } }
    #expect(losses.withLock { $0[10] } < first[0] / 4)
    try again.resetToDefault()
    #expect(try !again.hasUpdatedModel && right(again) == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: network.folder.url.path())
    #expect(left.isEmpty)
  }
}

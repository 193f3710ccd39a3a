import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

extension MLModel {
  /// The outputs for these inputs. Throws `MLModelError.featureType` for inputs that do not fit the model's
  /// description, and `generic` for what goes wrong on the way.
  public func prediction(from input: any MLFeatureProvider) throws -> any MLFeatureProvider {
    try predict(input, MLPredictionOptions())
  }

  public func prediction(
    from input: any MLFeatureProvider,
    options: MLPredictionOptions
  ) throws -> any MLFeatureProvider {
    try predict(input, options)
  }

  /// The outputs for these inputs, computed on another thread, by as many predictions at a time as the configuration
  /// says. Throws as the other predictions do, and `CancellationError` when the task is cancelled before they are
  /// there: at once while others are waited for.
  public func prediction(
    from input: any MLFeatureProvider,
    options: MLPredictionOptions = MLPredictionOptions()
  ) async throws -> any MLFeatureProvider {
    let given = Handed((input, options))
    let output = try await work.run { Handed(try self.predict(given.value.0, given.value.1)) }
    try Task.checkCancellation()
    return output.value
  }

  private func predict(_ input: any MLFeatureProvider, _ options: MLPredictionOptions) throws -> any MLFeatureProvider {
    let interface = runtime.interface
    guard interface.states.isEmpty else {
      throw MLModelError(
        .generic,
        "the model keeps states between predictions: make one with makeState() and give it to prediction(from:using:)"
      )
    }
    let tensors = try FeatureTensors.inputs(features, from: input)
    if !options.outputBackings.isEmpty {
      return try BackedPrediction(runtime, features, options.outputBackings).run(tensors)
    }
    let outputs = try reporting { () throws(Diagnostic) in try runtime.predict(tensors) }
    return try FeatureTensors.features(features.outputs, outputs)
  }
}

// MARK: Batches

extension MLModel {
  /// The outputs for each set of inputs, in their order, computed on all cores. Throws the first problem.
  public func predictions(fromBatch inputBatch: any MLBatchProvider) throws -> any MLBatchProvider {
    try predictions(from: inputBatch, options: MLPredictionOptions())
  }

  /// The outputs for each set of inputs, in their order, computed on all cores. Throws the first problem.
  public func predictions(
    from inputBatch: any MLBatchProvider,
    options: MLPredictionOptions = MLPredictionOptions()
  ) throws -> any MLBatchProvider {
    guard options.outputBackings.isEmpty || inputBatch.count < 2 else {
      throw MLModelError(
        .generic,
        "one set of output backings cannot take the outputs of \(inputBatch.count) predictions"
      )
    }
    let start = Trace.begin()
    defer { Trace.end("batch", start, [("inputs", "\(inputBatch.count)")]) }
    let batch = BatchRun((0..<inputBatch.count).map { inputBatch.features(at: $0) })
    nonisolated(unsafe) let settings = options  // read only
    DispatchQueue.concurrentPerform(iterations: batch.inputs.count) { index in
      batch.finish(index, Result { try self.prediction(from: batch.inputs[index], options: settings) })
    }
    return MLArrayBatchProvider(array: try batch.outputs())
  }
}

/// Inputs and results of a batch that several threads work on.
private final class BatchRun: @unchecked Sendable {  // results under the lock; inputs are only read
  let inputs: [any MLFeatureProvider]
  private let lock = NSLock()
  private var results: [Result<any MLFeatureProvider, any Error>?]

  init(_ inputs: [any MLFeatureProvider]) {
    self.inputs = inputs
    results = Array(repeating: nil, count: inputs.count)
  }

  func finish(_ index: Int, _ result: Result<any MLFeatureProvider, any Error>) {
    lock.withLock { results[index] = result }
  }

  func outputs() throws -> [any MLFeatureProvider] { try lock.withLock { try results.compactMap { try $0?.get() } } }
}

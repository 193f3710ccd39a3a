import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// A compiled model, loaded. Predictions may run on many threads at once.
open class MLModel: NSObject, @unchecked Sendable {  // constants; the runtime's model is thread-safe
  let runtime: MLCRuntime.Model
  /// What predictions take and give.
  let features: ModelFeatures
  /// For predictions of tasks.
  let work: WorkQueue
  /// How the model learns, and what it has learnt; `nil` for one that does not.
  let learnt: LearntParameters?
  private let loadedWith: MLModelConfiguration
  public let modelDescription: MLModelDescription

  init(_ runtime: MLCRuntime.Model, _ configuration: MLModelConfiguration, _ learnt: LearntParameters?) {
    self.learnt = learnt
    (self.runtime, loadedWith, features) = (runtime, configuration, ModelFeatures(runtime.interface))
    modelDescription = MLModelDescription(runtime.interface, metadata: runtime.manifest.metadata, learnt)
    work = WorkQueue(limit: configuration.maximumPredictionsInFlight ?? CPU.coreCount)
  }

  /// Loads a compiled model, a `.mlmodelc` folder.
  ///
  /// Throws `MLModelError.io` for what is no compiled model or damaged, `generic` when nothing in it runs on this
  /// machine.
  public convenience init(contentsOf url: URL) throws {
    try self.init(contentsOf: url, configuration: MLModelConfiguration())
  }

  /// Loads a compiled model, a `.mlmodelc` folder. Throws as `init(contentsOf:)` does, and `MLModelError.parameters`
  /// for a configuration with parameters that the model does not have, or does not allow.
  public convenience init(contentsOf url: URL, configuration: MLModelConfiguration) throws {
    let copy = configuration.copied
    let loaded = try ModelLoader(url, copy).load()
    self.init(loaded.model, copy, loaded.learnt)
  }

  /// A copy of the configuration that the model was loaded with.
  public var configuration: MLModelConfiguration { loadedWith.copied }

  /// The devices that predictions can run on.
  public class var availableComputeDevices: [MLComputeDevice] { MLComputeDevice.allComputeDevices }
}

// MARK: Loading without waiting

extension MLModel {
  /// Loads a compiled model. Throws as `init(contentsOf:configuration:)` does, and `CancellationError`.
  public class func load(
    contentsOf url: URL,
    configuration: MLModelConfiguration = MLModelConfiguration()
  ) async throws -> MLModel {
    let configuration = Handed(configuration.copied)
    return try await WorkQueue.preparations.run { try MLModel(contentsOf: url, configuration: configuration.value) }
  }

  /// Loads a compiled model and hands it, or the error, to `handler` on another thread.
  @preconcurrency public class func load(
    contentsOf url: URL,
    configuration: MLModelConfiguration = MLModelConfiguration(),
    completionHandler handler: @escaping @Sendable (Result<MLModel, any Error>) -> Void
  ) {
    let copy = Handed(configuration.copied)
    DispatchQueue.global().async { handler(Result { try MLModel(contentsOf: url, configuration: copy.value) }) }
  }
}

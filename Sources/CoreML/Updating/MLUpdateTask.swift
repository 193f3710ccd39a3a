import Foundation
import MLCCore
import MLCRuntime
import Synchronization

/// An update of a compiled model by examples: its trained weights become better, or samples are added to it.
///
/// The compiled model stays as it is; the context that handlers get has the updated one.
open class MLUpdateTask: MLTask, @unchecked Sendable {  // constants, and what the lock guards
  private struct Wishes {
    var isCancelled = false, isCompleted = false
    /// What `resume(withParameters:)` was given since the last mini-batch.
    var parameters: [MLParameterKey: Any] = [:]
  }

  private let original: MLModel
  private let learnt: LearntParameters
  private let examples: TrainingExamples
  private let configuration: MLModelConfiguration
  private let handlers: MLUpdateProgressHandlers
  private let queue = DispatchQueue(label: "MLUpdateTask")
  private let lock = NSLock()
  private var wishes = Wishes()

  /// Throws `MLModelError.io` for what is no compiled model, `update` for one that does not learn and for no examples,
  /// `parameters` for those of the configuration that the model does not have or allow, and `featureType` when the
  /// first example does not fit.
  private init(
    _ url: URL,
    _ data: any MLBatchProvider,
    _ given: MLModelConfiguration?,
    _ told: MLUpdateProgressHandlers
  ) throws {
    configuration = given?.copied ?? MLModelConfiguration()
    original = try MLModel(contentsOf: url, configuration: configuration)
    guard let learnt = original.learnt else {
      throw MLModelError(
        .update,
        "the model does not learn: its source is not updatable, or was compiled with --no-updatable"
      )
    }
    (self.learnt, handlers) = (learnt, told)
    examples = try TrainingExamples(data, learnt)
    _ = try examples[0]
    super.init(begin: { ($0 as? MLUpdateTask)?.start() }, stop: { ($0 as? MLUpdateTask)?.stop() })
  }

  @preconcurrency public convenience init(
    forModelAt modelURL: URL,
    trainingData: any MLBatchProvider,
    configuration: MLModelConfiguration?,
    completionHandler: @escaping @Sendable (MLUpdateContext) -> Void
  ) throws {
    let handlers = MLUpdateProgressHandlers(forEvents: [], progressHandler: nil, completionHandler: completionHandler)
    try self.init(modelURL, trainingData, configuration, handlers)
  }

  public convenience init(
    forModelAt modelURL: URL,
    trainingData: any MLBatchProvider,
    configuration: MLModelConfiguration?,
    progressHandlers: MLUpdateProgressHandlers
  ) throws { try self.init(modelURL, trainingData, configuration, progressHandlers) }

  @preconcurrency public convenience init(
    forModelAt modelURL: URL,
    trainingData: any MLBatchProvider,
    completionHandler: @escaping @Sendable (MLUpdateContext) -> Void
  ) throws {
    try self.init(
      forModelAt: modelURL,
      trainingData: trainingData,
      configuration: nil,
      completionHandler: completionHandler
    )
  }

  public convenience init(
    forModelAt modelURL: URL,
    trainingData: any MLBatchProvider,
    progressHandlers: MLUpdateProgressHandlers
  ) throws { try self.init(modelURL, trainingData, nil, progressHandlers) }

  /// Goes on with other settings, from the next mini-batch on: for handlers, which call it while the update waits for
  /// them. A task that was not resumed yet begins with them. Settings that the model does not allow fail the task with
  /// `MLModelError.parameters`.
  open func resume(withParameters updateParameters: [MLParameterKey: Any]) {
    lock.withLock { wishes.parameters.merge(updateParameters) { $1 } }
    resume()
  }

  /// A task that never began fails at once, and its completion handler is told.
  open override func cancel() {
    super.cancel()
    if state == .failed { queue.async { self.complete(self.failure) } }
  }

  private func start() { queue.async { self.run() } }

  private func stop() { lock.withLock { wishes.isCancelled = true } }

  private func run() {
    do {
      let context = try update()
      try checkCancellation()
      finish(nil)
      complete(context)
    } catch {
      finish(error)
      complete(failure)
    }
  }

  /// Calls the completion handler, once.
  private func complete(_ context: MLUpdateContext) {
    let isFirst = lock.withLock {
      defer { wishes.isCompleted = true }
      return !wishes.isCompleted
    }
    if isFirst { handlers.completion(context) }
  }

  /// The context of a task that failed, with the model as it was.
  private var failure: MLUpdateContext {
    MLUpdateContext(self, UpdatableModel(original, learnt), [], [:], learnt.settings.parameters)
  }

  private func checkCancellation() throws {
    if lock.withLock({ wishes.isCancelled }) { throw CancellationError() }
  }
}

// MARK: Learning

extension MLUpdateTask {
  /// The context of the end.
  private func update() throws -> MLUpdateContext {
    var learnt = learnt
    try heed(&learnt)
    switch learnt.learning.method {
    case .network(let network): return try update(network, &learnt)
    case .neighbors(let neighbors): return try update(neighbors, &learnt)
    }
  }

  private func update(_ network: Learning.Network, _ learnt: inout LearntParameters) throws -> MLUpdateContext {
    var update = try NetworkUpdate(network, learnt, configuration)
    try tell(.trainingBegin, [:], &learnt)
    var (epoch, metrics) = (0, [MLMetricKey: Any]())
    while epoch < learnt.settings.count(.epochs) {
      let order = ExampleOrder.numbers(
        examples.count,
        epoch: epoch,
        shuffled: learnt.settings[.shuffle] != 0,
        seed: learnt.settings.integer(.seed)
      )
      var (next, batch, total) = (0, 0, 0.0)
      while next < order.count {
        try checkCancellation()
        try heed(&learnt)
        let part = order[next..<min(next + learnt.settings.count(.miniBatchSize), order.count)]
        let loss = try update.train(part, of: examples, learnt.settings)
        total += loss * Double(part.count)
        next = part.endIndex
        learnt.learn(update.learnt)
        try tell(.miniBatchEnd, [.lossValue: loss, .epochIndex: epoch, .miniBatchIndex: batch], &learnt)
        batch += 1
      }
      try update.check()
      metrics = [.lossValue: total / Double(order.count), .epochIndex: epoch]
      try tell(.epochEnd, metrics, &learnt)
      epoch += 1
    }
    return context(.epochEnd, metrics, learnt)
  }

  private func update(_ neighbors: Learning.Neighbors, _ learnt: inout LearntParameters) throws -> MLUpdateContext {
    var update = try NeighborUpdate(neighbors, learnt, configuration)
    try tell(.trainingBegin, [:], &learnt)
    for number in 0..<examples.count {
      try checkCancellation()
      try update.add(try examples[number], number)
    }
    learnt.learn(update.learnt)
    let metrics: [MLMetricKey: Any] = [.epochIndex: 0]
    try tell(.epochEnd, metrics, &learnt)
    return context(.epochEnd, metrics, learnt)
  }

  /// Calls the progress handler if it asked for `event`, and heeds what it wants.
  private func tell(_ event: MLUpdateProgressEvent, _ metrics: [MLMetricKey: Any], _ learnt: inout LearntParameters)
    throws
  {
    guard let progress = handlers.progress, handlers.events.contains(event) else { return }
    progress(context(event, metrics, learnt))
    try heed(&learnt)
  }

  private func heed(_ learnt: inout LearntParameters) throws {
    let given = lock.withLock {
      defer { wishes.parameters = [:] }
      return wishes.parameters
    }
    try learnt.set(given)
  }

  private func context(_ event: MLUpdateProgressEvent, _ metrics: [MLMetricKey: Any], _ learnt: LearntParameters)
    -> MLUpdateContext
  {
    MLUpdateContext(self, UpdatableModel(original, learnt), event, metrics, learnt.settings.parameters)
  }
}

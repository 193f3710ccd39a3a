import Foundation

/// Moments of an update that its progress handler is told of. Raw values are Core ML's.
public struct MLUpdateProgressEvent: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let trainingBegin = MLUpdateProgressEvent(rawValue: 1)
  public static let epochEnd = MLUpdateProgressEvent(rawValue: 2)
  public static let miniBatchEnd = MLUpdateProgressEvent(rawValue: 4)
}

/// What an update tells, and whom. Handlers are called one after the other, never on the thread that resumes the task.
public final class MLUpdateProgressHandlers: NSObject, @unchecked Sendable {  // constants
  let events: MLUpdateProgressEvent
  let progress: (@Sendable (MLUpdateContext) -> Void)?
  let completion: @Sendable (MLUpdateContext) -> Void

  /// `progressHandler` is told of `interestedEvents` while the update waits for it, `completionHandler` once when the
  /// task completed or failed.
  @preconcurrency public init(
    forEvents interestedEvents: MLUpdateProgressEvent,
    progressHandler: (@Sendable (MLUpdateContext) -> Void)?,
    completionHandler: @escaping @Sendable (MLUpdateContext) -> Void
  ) {
    (events, progress, completion) = (interestedEvents, progressHandler, completionHandler)
  }
}

/// What can be put into a file.
public protocol MLWritable: NSObjectProtocol {
  /// Writes to `url`, whole or not at all: what stands there before goes when all is written.
  func write(to url: URL) throws
}

/// How far an update is.
public final class MLUpdateContext: NSObject, @unchecked Sendable {  // constants
  public let task: MLUpdateTask
  /// The model as it is at this moment, to predict with and to keep: later steps leave it as it is.
  public let model: any MLModel & MLWritable
  public let event: MLUpdateProgressEvent
  /// Loss, epoch and mini-batch, as far as there are such.
  public let metrics: [MLMetricKey: Any]
  /// The settings of the update, and of the predictions.
  public let parameters: [MLParameterKey: Any]

  init(
    _ task: MLUpdateTask,
    _ model: any MLModel & MLWritable,
    _ event: MLUpdateProgressEvent,
    _ metrics: [MLMetricKey: Any],
    _ parameters: [MLParameterKey: Any]
  ) {
    (self.task, self.model, self.event) = (task, model, event)
    (self.metrics, self.parameters) = (metrics, parameters)
  }
}

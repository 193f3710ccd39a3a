import Foundation

/// How far a task is. Raw values are Core ML's.
public enum MLTaskState: Int, Sendable {
  /// It was not resumed yet.
  case suspended = 1
  case running = 2
  /// It was cancelled, and what it does has not ended yet.
  case cancelling = 3
  case completed = 4
  case failed = 5
}

/// Work that begins when it is resumed, and can be cancelled.
open class MLTask: NSObject, @unchecked Sendable {  // what varies is read and written under the lock
  /// Tells this task from all others.
  public let taskIdentifier: String = UUID().uuidString
  private let lock = NSLock()
  private var progress = MLTaskState.suspended
  private var problem: (any Error)?
  private let begin: @Sendable (MLTask) -> Void
  private let stop: @Sendable (MLTask) -> Void

  /// `begin` does the work and calls `finish` once, on any thread; `stop` makes work that runs end soon.
  package init(
    begin: @escaping @Sendable (MLTask) -> Void,
    stop: @escaping @Sendable (MLTask) -> Void = { _ in }
  ) {
    (self.begin, self.stop) = (begin, stop)
  }

  public var state: MLTaskState { lock.withLock { progress } }
  /// Why the task failed; `nil` unless it did.
  public var error: (any Error)? { lock.withLock { problem } }

  /// Begins the work. Without effect on a task that was resumed or cancelled before.
  open func resume() {
    if move(from: .suspended, to: .running) { begin(self) }
  }

  /// Asks the work to end. A task that never began fails at once; without effect on one that ended.
  open func cancel() {
    if move(from: .suspended, to: .cancelling) {
      finish(CancellationError())
    } else if move(from: .running, to: .cancelling) {
      stop(self)
    }
  }

  /// Ends the task: completed without an error, failed with one.
  package func finish(_ problem: (any Error)?) {
    lock.withLock {
      if progress == .completed || progress == .failed { return }
      (progress, self.problem) = (problem == nil ? .completed : .failed, problem)
    }
  }

  private func move(from: MLTaskState, to: MLTaskState) -> Bool {
    lock.withLock {
      guard progress == from else { return false }
      progress = to
      return true
    }
  }
}

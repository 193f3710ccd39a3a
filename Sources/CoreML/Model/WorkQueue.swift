import MLCRuntime
import Synchronization

/// Work of tasks that keeps a thread busy, such as predictions. It has threads other than Swift's own, which are as few
/// as processors, so that other tasks go on meanwhile. So many pieces of it run at a time; others wait, in the order in
/// which they came, and one whose task is cancelled waits no longer.
final class WorkQueue: Sendable {
  private struct Piece: Sendable {
    let begin: @Sendable () -> Void
    let giveUp: @Sendable () -> Void
    /// Since when a task waits for it, where that is traced.
    var waiting: UInt64?
  }

  private struct State {
    var running = 0
    var waiting: [Int: Piece] = [:]
    /// The number that the next piece gets, and that of the one that has waited for longest.
    var next = 0, first = 0

    /// Of those that wait, the first.
    mutating func removeFirst() -> Piece? {
      if waiting.isEmpty { return nil }
      while true {
        defer { first += 1 }
        if let piece = waiting.removeValue(forKey: first) { return piece }
      }
    }
  }

  /// For loading and compiling models.
  static let preparations = WorkQueue(limit: CPU.coreCount)

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = max(1, limit) }

  /// What `work` answers or throws. Throws `CancellationError` where the task is cancelled before it begins.
  func run<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
    try Task.checkCancellation()
    let number = nextNumber()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
        let once = Once(work)
        let piece = Piece(
          begin: { continuation.resume(with: once.result()) },
          giveUp: { continuation.resume(throwing: CancellationError()) },
          waiting: Trace.begin()
        )
        add(piece, number)
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// What `work` answers, also to a task that is cancelled.
  func finish<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in begin { continuation.resume(returning: work()) } }
  }

  /// Has `work` done, which no task waits for.
  func begin(_ work: @escaping @Sendable () -> Void) { add(Piece(begin: work, giveUp: {}), nextNumber()) }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.next += 1
      return state.next - 1
    }
  }

  private func add(_ piece: Piece, _ number: Int) {
    let begins = state.withLock { state in
      if state.running < limit {
        state.running += 1
        return true
      }
      state.waiting[number] = piece
      state.first = min(state.first, number)
      return false
    }
    guard begins else { return }
    WorkThreads.shared.run { [self] in
      piece.begin()
      while let next = afterOne() {
        Trace.end("wait for one in flight", next.waiting)
        next.begin()
      }
    }
  }

  /// What the thread of a piece that has ended goes on with.
  private func afterOne() -> Piece? {
    state.withLock { state in
      let next = state.removeFirst()
      if next == nil { state.running -= 1 }
      return next
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.giveUp()
  }
}

/// Work that is let go of, with the model that it holds, before anybody is told of its result.
private final class Once<R: Sendable>: @unchecked Sendable {  // used by the thread that runs it
  private var work: (@Sendable () throws -> R)?

  init(_ work: @escaping @Sendable () throws -> R) { self.work = work }

  func result() -> Result<R, any Error> {
    guard let work = work.take() else { preconditionFailure("work is done once") }
    return Result { try work() }
  }
}

/// Something that one task hands to the thread that works for it, or gets back, and nobody else touches meanwhile.
struct Handed<Value>: @unchecked Sendable {  // used by one thread at a time
  let value: Value
  init(_ value: Value) { self.value = value }
}

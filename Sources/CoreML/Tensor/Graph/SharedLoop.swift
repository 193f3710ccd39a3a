import Dispatch
import Synchronization

/// A loop whose turns the calling thread shares with others, which are neither Swift's nor Dispatch's: other tasks go
/// on meanwhile. Who comes late finds nothing left to do, so that a loop waits for nobody but those in its turns.
final class SharedLoop: @unchecked Sendable {  // the body is written while no other thread runs it
  private struct State {
    var next = 0, helpers = 0
    var isWaiting = false
  }

  /// Those of all loops together.
  private static let helpers = WorkQueue(limit: Parallel.cores - 1)

  private let count: Int
  private var body: ((Int) -> Void)?
  private let state = Mutex(State())
  private let done = DispatchSemaphore(value: 0)

  /// `body` is called with each of `0 ..< count`, on several threads.
  init(_ count: Int, _ body: @escaping (Int) -> Void) { (self.count, self.body) = (count, body) }

  /// Returns when all turns are over.
  func run() {
    for _ in 0..<min(count, Parallel.cores) - 1 { Self.helpers.begin { [self] in help() } }
    takeTurns()
    let waits = state.withLock { state in
      state.isWaiting = state.helpers > 0
      return state.isWaiting
    }
    if waits { done.wait() }
    body = nil
  }

  private func help() {
    let begins = state.withLock { state in
      if state.next == count { return false }
      state.helpers += 1
      return true
    }
    guard begins else { return }
    takeTurns()
    let isLast = state.withLock { state in
      state.helpers -= 1
      return state.isWaiting && state.helpers == 0
    }
    if isLast { done.signal() }
  }

  /// Not inlined: what it holds of the body is let go of when it returns.
  @inline(never)
  private func takeTurns() { while let turn = nextTurn() { body?(turn) } }

  private func nextTurn() -> Int? {
    state.withLock { state in
      if state.next == count { return nil }
      state.next += 1
      return state.next - 1
    }
  }
}

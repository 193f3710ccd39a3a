import Foundation

/// Threads that are nobody else's: neither Swift's nor Dispatch's, of which together as many run as there are
/// processors. A thread that has nothing to do stays for a second.
final class WorkThreads: @unchecked Sendable {  // what varies is used under the condition's lock
  static let shared = WorkThreads()

  private let condition = NSCondition()
  private var pieces: [@Sendable () -> Void] = []
  private var waiting = 0

  /// Runs `piece` on one of the threads, a new one where none waits for it.
  func run(_ piece: @escaping @Sendable () -> Void) {
    condition.withLock {
      pieces.append(piece)
      if pieces.count <= waiting {
        condition.signal()
      } else {
        Thread.detachNewThread { [self] in while let piece = next() { piece() } }
      }
    }
  }

  /// `nil` where nothing comes for a second.
  private func next() -> (@Sendable () -> Void)? {
    condition.withLock {
      waiting += 1
      defer { waiting -= 1 }
      let end = Date(timeIntervalSinceNow: 1)
      while pieces.isEmpty {
        if !condition.wait(until: end), pieces.isEmpty { return nil }
      }
      return pieces.removeFirst()
    }
  }
}

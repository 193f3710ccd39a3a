import Foundation
import MLCCore

/// A bar on standard error while something takes its time; nothing where that is no terminal.
///
/// `@unchecked Sendable`: every access to what changes holds the lock.
final class ProgressBar: @unchecked Sendable {  // every access to `drawn` holds the lock
  private let lock = NSLock()
  private var drawn = 0

  /// Shows what is being done, and how much of the whole is, 0…1.
  func show(_ what: String, _ share: Double) {
    guard Console.isErrorTerminal else { return }
    lock.withLock {
      let cells = Int((min(max(share, 0), 1) * 24).rounded())
      let bar = String(repeating: "█", count: cells) + String(repeating: "░", count: 24 - cells)
      let line = "\(bar) \(Int((share * 100).rounded()))% \(what.shown().prefix(48))"
      draw(line)
    }
  }

  func clear() {
    guard Console.isErrorTerminal else { return }
    lock.withLock { draw("") }
  }

  private func draw(_ line: String) {
    let blanks = String(repeating: " ", count: max(0, drawn - line.count))
    Console.progress("\r\(line)\(blanks)\(line.isEmpty ? "\r" : "")")
    drawn = line.count
  }
}

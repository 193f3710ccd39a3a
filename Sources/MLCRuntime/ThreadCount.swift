import CMLCKernelABI
import MLCCore

/// How many threads work on one prediction, as the user says.
package enum ThreadCount {
  /// `option`, else what `MLC_THREADS` in the environment says; `nil` for all cores. Throws `threads.count` for what is
  /// not a number of 1 to 1024.
  package static func wanted(_ option: Int? = nil) throws(Diagnostic) -> Int? {
    if let option { return try checked(option, "--threads \(option)") }
    guard let text = CompilerCommand.variable("MLC_THREADS") else { return nil }
    return try checked(Int(text), "MLC_THREADS is '\(text)'")
  }

  private static func checked(_ count: Int?, _ spelled: String) throws(Diagnostic) -> Int {
    let most = Int(MLC_POOL_MOST_WORKERS)
    if let count, (1...most).contains(count) { return count }
    throw Diagnostic("threads.count", "\(spelled): give a number from 1 to \(most)", kind: .usage)
  }
}

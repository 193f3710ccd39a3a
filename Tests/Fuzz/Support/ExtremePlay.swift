import Glibc
import MLCCore

/// Plays seeds with each of their numbers, one at a time, as far out as it goes. An input that breaks the reader, or
/// takes it more than ten seconds, is kept.
struct ExtremePlay {
  let target: FuzzTarget
  /// Inputs above this length, whose numbers are too many, are left out.
  private static let longest = 6000

  /// The input that is played, for the handler of signals; and the file that it becomes.
  private nonisolated(unsafe) static var current: UnsafeRawBufferPointer?  // One thread writes, the same reads.
  private nonisolated(unsafe) static var found: UnsafeMutablePointer<CChar>?  // As above.

  /// Prints how many inputs were made of `seeds`. What breaks the reader is written to `path`.
  func play(_ seeds: some Sequence<String>, found path: String) throws(Diagnostic) {
    Self.found = strdup(path)
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGALRM] {
      signal(number) { ExtremePlay.keep($0) }
    }
    var count = 0
    for seed in seeds {
      let file = try MappedFile(path: seed)
      guard file.bytes.count <= Self.longest else { continue }
      target.mutator?.extremes(of: Array(file.bytes)) { input in
        count += 1
        input.withUnsafeBytes {
          Self.current = $0
          alarm(10)
          target.play($0)
          alarm(0)
          Self.current = nil
        }
      }
    }
    print(count)
  }

  private static func keep(_ number: CInt) {
    if let found, let current {
      let file = open(found, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      _ = write(file, current.baseAddress, current.count)
    }
    _exit(128 + number)
  }
}

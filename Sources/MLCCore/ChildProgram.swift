import CMLCProcess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A program that this process runs as a child: confined, in a group of its own, with nothing of this process but what
/// stands here. It is ended, with all that it started, when this process ends.
package struct ChildProgram: Sendable {
  package var path: String
  /// Behind the program's name.
  package var arguments: [String]
  package var environment: [String: String]
  /// Where it runs; here when `nil`.
  package var folder: String?
  /// Open files that become its descriptors 3, 4 …, at most eight.
  package var files: [Int32] = []
  /// Whether its standard output and error are this process's; else the first goes nowhere, and the second is in the
  /// end's messages.
  package var speaks = false
  package var limits: ChildLimits

  package init(_ path: String, _ arguments: [String], environment: [String: String], limits: ChildLimits) {
    (self.path, self.arguments, self.environment, self.limits) = (path, arguments, environment, limits)
  }

  /// How it ended.
  package struct End: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      case exited(Int32)
      case signalled(Int32)
      /// It was stopped when its time by the clock was over.
      case tooLong
      /// The process that looked after it was killed.
      case lost
    }
    package var kind: Kind
    /// The first 64 KiB of its standard error.
    package var messages = ""

    package init(kind: Kind, messages: String = "") { (self.kind, self.messages) = (kind, messages) }

    /// The exit status; 128 and more for a signal, as shells have it.
    package var status: Int32 {
      switch kind {
      case .exited(let status): status
      case .signalled(let signal): 128 + signal
      case .tooLong, .lost: 128 + SIGKILL
      }
    }
  }

  /// Whether this system can keep programs from the network.
  package static var canIsolate: Bool { mlc_can_isolate() }

  /// Those of this process's variables that are called `names`, and what the dynamic linker needs; messages are
  /// English.
  package static func environment(keeping names: [String] = []) -> [String: String] {
    var kept = ["LC_ALL": "C"]
    for name in names + ["LD_LIBRARY_PATH"] {
      if let value = getenv(name) { kept[name] = String(cString: value) }
    }
    return kept
  }
}

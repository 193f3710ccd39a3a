import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the runtime does and when, written to the file that `MLC_TRACE` in the environment names, for Chrome's tracing
/// and Perfetto. Without it, a span costs one load and a comparison.
package enum Trace {
  /// The file; `nil` where nothing asks for one, or it cannot be written, which standard error is told once.
  private static let file: TraceFile? = CompilerCommand.variable("MLC_TRACE").flatMap { path in
    do throws(Diagnostic) { return try TraceFile(path: path) } catch {
      let line = "mlc: MLC_TRACE: \(error.description)\n"
      _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      return nil
    }
  }

  /// Has everything traced from now on, to the file at `path` and not to the one that the environment names. Before
  /// anything is traced. Throws `file.write`.
  package static func begin(writing path: String) throws(Diagnostic) {
    _ = try TraceFile(path: path)
    setenv("MLC_TRACE", path, 1)
  }

  /// Whether anything is traced.
  package static var isOn: Bool { file != nil }

  /// When something began; `nil` where nothing is traced.
  package static func begin() -> UInt64? { file == nil ? nil : TraceFile.now }

  /// Writes what began at `start` and ended at `finish`, or ends now, with what is to be known of it. Without effect
  /// where nothing is traced.
  package static func end(
    _ name: StaticString,
    _ start: UInt64?,
    at finish: UInt64? = nil,
    _ details: @autoclosure () -> [(name: StaticString, value: String)] = []
  ) {
    guard let start, let file else { return }
    file.write("\(name)", from: start, to: finish ?? TraceFile.now, details())
  }

  /// Writes the steps of a run that began at `start`, one after the other: what each of them took is measured, how much
  /// later the next one began is not. A step in a loop is one span of all its rounds.
  static func end(
    _ steps: [ExecutableStep],
    _ nanoseconds: UnsafeMutableBufferPointer<UInt64>,
    on device: String,
    _ start: UInt64?
  ) {
    guard let start, let file, nanoseconds.count == steps.count else { return }
    file.write(
      category: "kernel",
      from: start,
      zip(steps, nanoseconds).map { ($0.kernel, $1, [("device", device), ("nodes", $0.nodes)]) }
    )
  }

  /// `body`, as a span of that name.
  @inline(__always) package static func span<R, Problem: Error>(
    _ name: StaticString,
    _ body: () throws(Problem) -> R
  ) throws(Problem) -> R {
    let start = begin()
    defer { end(name, start) }
    return try body()
  }
}

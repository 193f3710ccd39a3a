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

  /// When something began; `nil` where nothing is traced.
  package static func begin() -> UInt64? { file == nil ? nil : TraceFile.now }

  /// Writes what began at `start` and ends now, with what is to be known of it. Without effect where nothing is traced.
  package static func end(
    _ name: StaticString,
    _ start: UInt64?,
    _ details: @autoclosure () -> [(name: StaticString, value: String)] = []
  ) {
    guard let start, let file else { return }
    file.write(name, from: start, to: TraceFile.now, details())
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

import MLCCore

/// What is wrong with a call of a builder, and where the call stands.
public struct BuildError: Error, Sendable, CustomStringConvertible {
  /// A stable identifier, which `mlc explain` knows.
  public let id: String
  public let message: String
  public let file: String
  public let line: Int

  public var description: String { "\(file):\(line): error: \(message) [\(id)]" }

  init(_ diagnostic: Diagnostic, _ call: CallSite) {
    let place = [diagnostic.location.node, diagnostic.location.op.map { "(\($0))" }].compactMap { $0 }
    let prefix = place.isEmpty ? "" : "\(place.joined(separator: " ")): "
    (id, message) = (diagnostic.id.rawValue, prefix + diagnostic.message)
    (file, line) = (call.file, call.line)
  }
}

/// Where in the source that builds a program a call stands.
struct CallSite {
  let file: String, line: Int

  func problem(_ id: Diagnostic.ID, _ message: String) -> BuildError { BuildError(Diagnostic(id, message), self) }
}

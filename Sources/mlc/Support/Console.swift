import Foundation
import MLCCore

/// What the command says: results on standard output, everything else on standard error.
enum Console {
  static func result(_ text: String) { print(text) }
  static func error(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
  /// Something worth knowing that is no problem.
  static func note(_ text: String) { error("mlc: note: \(text)") }

  static let isErrorTerminal = isatty(STDERR_FILENO) == 1
  private static let colours = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  static let coloursResults = colours && isatty(STDOUT_FILENO) == 1

  /// `text` in the ANSI colour `code`, where results are coloured.
  static func coloured(_ text: String, _ code: Int) -> String {
    coloursResults ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
  static func verdict(_ passed: Bool) -> String { passed ? coloured("pass", 32) : coloured("FAIL", 31) }

  /// Prints a problem; with `json` also as an object on standard output.
  static func report(_ problem: Diagnostic, json: Bool) {
    var text = problem.description
    if problem.location.description.isEmpty { text = "mlc: " + text }
    if colours && isErrorTerminal, let range = text.range(of: "\(problem.severity.rawValue): ") {
      text.replaceSubrange(range, with: "\u{1b}[1;31m\(problem.severity.rawValue):\u{1b}[0m ")
    }
    error(text)
    if json { result(problem.json.line) }
  }
}

extension Diagnostic {
  /// The problem for `--json`; what is not known is `null`.
  var json: JSON {
    func known(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    return .object([
      "severity": .string(severity.rawValue), "id": .string(id.rawValue), "message": .string(message),
      "file": known(location.file), "node": known(location.node), "op": known(location.op),
      "notes": .array(notes.map { .string($0) }), "exit_code": .integer(Int(kind.rawValue)),
    ])
  }
}

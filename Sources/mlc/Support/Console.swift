import Foundation
import MLCCore

/// What the command says: results on standard output, everything else on standard error.
enum Console {
  static func result(_ text: ConsoleText) { print(text.text) }
  static func error(_ text: ConsoleText) { FileHandle.standardError.write(Data((text.text + "\n").utf8)) }
  /// Something worth knowing that is no problem.
  static func note(_ text: ConsoleText) { error("mlc: note: \(text)") }

  static let isErrorTerminal = isatty(STDERR_FILENO) == 1
  private static let colours = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  static let coloursResults = colours && isatty(STDOUT_FILENO) == 1

  static func verdict(_ passed: Bool) -> ConsoleText {
    let word: ConsoleText = passed ? "pass" : "FAIL"
    return coloursResults ? word.coloured(passed ? "32" : "31") : word
  }

  /// Prints a problem; with `json` also as an object on standard output.
  static func report(_ problem: Diagnostic, json: Bool) {
    var text = ConsoleText(problem)
    if problem.location.description.isEmpty { text = "mlc: \(text)" }
    error(colours && isErrorTerminal ? text.colouring("\(problem.severity.rawValue):", "1;31") : text)
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

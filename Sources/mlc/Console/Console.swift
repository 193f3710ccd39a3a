import Foundation
import MLCCore
import Synchronization

/// The system's `write`, which a method of that name would hide.
private func put(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// What the command says: results on standard output, everything else on standard error.
enum Console {
  /// Why the first result that could not be written was not.
  private static let lost = Mutex<Int32?>(nil)

  static func result(_ text: ConsoleText) {
    guard let code = write(text.text + "\n", to: STDOUT_FILENO) else { return }
    lost.withLock { $0 = $0 ?? code }
  }
  static func error(_ text: ConsoleText) { progress(text.text + "\n") }
  /// Text for standard error as it is; there is nobody to tell when that cannot be written.
  static func progress(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  /// The exit code of a command that would end with `code`: a result that was lost is a problem of its own.
  static func status(_ code: Int32) -> Int32 {
    guard let reason = lost.withLock({ $0 }).map({ String(cString: strerror($0)) }) else { return code }
    let problem = Diagnostic("output.write", "cannot write the result: \(reason)", kind: .environment)
    report(problem, json: false)
    return problem.kind.rawValue
  }

  /// The error number, if there was an error. Where nobody reads any more the command ends as others do, by SIGPIPE.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let count = put(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count < 0 && errno == EINTR { continue }
        if count < 0 && errno == EPIPE { Ending.end(with: SIGPIPE) }
        guard count > 0 else { return count == 0 ? EIO : errno }
        rest = rest.dropFirst(count)
      }
      return nil
    }
  }

  /// Something worth knowing that is no problem.
  static func note(_ text: ConsoleText) { error("mlc: note: \(text)") }

  static let isErrorTerminal = isatty(STDERR_FILENO) == 1
  private static let colours = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  static let coloursResults = colours && isatty(STDOUT_FILENO) == 1

  /// Characters in a line of the terminal that results go to; `nil` where they go elsewhere.
  static let resultWidth: Int? = {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }()

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
      "file": known(location.file), "line": location.position.map { .integer($0.line) } ?? .null,
      "column": location.position.map { .integer($0.column) } ?? .null, "node": known(location.node),
      "op": known(location.op),
      "notes": .array(notes.map { .string($0) }), "exit_code": .integer(Int(kind.rawValue)),
    ])
  }
}

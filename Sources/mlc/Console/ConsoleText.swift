import MLCCore

/// Text for a terminal: printable characters, line feeds and tabs, and mlc's own colours; nothing else that a model, a
/// file or an argument holds.
///
/// A literal stands as the sources spell it. What is interpolated comes from elsewhere and is `shown`: one line, cut
/// when it is long. A document, whose lines are meant, is taken by `init(document:)`.
struct ConsoleText: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: some CustomStringConvertible) { text += value.description.shown() }
    mutating func appendInterpolation(_ value: ConsoleText) { text += value.text }
  }

  init(stringLiteral: String) { text = stringLiteral }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  /// Text of any length with lines of its own: a program, JSON, a script.
  init(document: String) { text = document.printableLines }
  init(_ problem: Diagnostic) { self.init(document: problem.description) }

  static func + (a: ConsoleText, b: ConsoleText) -> ConsoleText { "\(a)\(b)" }
  static func += (a: inout ConsoleText, b: ConsoleText) { a.text += b.text }

  /// In an ANSI colour, `1;31`.
  func coloured(_ code: String) -> ConsoleText { "\u{1b}[\(code)m\(self)\u{1b}[0m" }

  /// The first `word` in an ANSI colour.
  func colouring(_ word: String, _ code: String) -> ConsoleText {
    guard let range = text.firstRange(of: word) else { return self }
    var result = self
    result.text.replaceSubrange(range, with: "\u{1b}[\(code)m\(word)\u{1b}[0m")
    return result
  }

  /// Plain text of at most `width` characters, which is above 0: with an ellipsis for what is left out.
  func cut(to width: Int) -> ConsoleText {
    if self.width <= width { return self }
    var result = self
    result.text = text.prefix(width - 1) + "…"
    return result
  }

  /// Characters that show: colour sequences take no room.
  var width: Int {
    var (count, hidden) = (0, false)
    for character in text {
      if character == "\u{1b}" {
        hidden = true
      } else if !hidden {
        count += 1
      } else if character == "m" {
        hidden = false
      }
    }
    return count
  }
}

extension Sequence<ConsoleText> {
  func joined(separator: String) -> ConsoleText { ConsoleText(joining: map { $0.text }, separator: separator) }
}

extension ConsoleText {
  fileprivate init(joining parts: [String], separator: String) { text = parts.joined(separator: separator) }
}

import MLCCore

/// Lines of Swift, indented by the braces that they stand in.
struct SwiftCode {
  private(set) var text = ""
  private var depth = 0

  /// One line; an empty one without an argument.
  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: depth) + line }
    text += "\n"
  }

  mutating func lines(_ lines: [String]) { for line in lines { self.line(line) } }

  /// `head {`, with `note` as a comment behind, what `body` writes, and `}`.
  mutating func block(_ head: String, note: String? = nil, _ body: (inout SwiftCode) -> Void) {
    line(head + " {" + (note.map { "  // \($0)" } ?? ""))
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }

  /// A line of documentation, an empty line before it.
  mutating func document(_ lines: String...) {
    line()
    for text in lines { line(text.isEmpty ? "///" : "/// \(text)") }
  }

  /// A string literal that means `text`, whatever is in it.
  static func literal(_ text: String) -> String {
    text.quoted { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format: "\\u{\(String(scalar.value, radix: 16))}"
      default: nil
      }
    }
  }
}

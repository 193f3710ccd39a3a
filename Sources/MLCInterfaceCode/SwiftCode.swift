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

  /// `head {`, with `note` of ours as a comment behind, what `body` writes, and `}`.
  mutating func block(_ head: String, note: String? = nil, _ body: (inout SwiftCode) -> Void) {
    line(head + " {" + (note.map { "  // \($0)" } ?? ""))
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }

  /// Lines of documentation, an empty line before them.
  mutating func document(_ lines: String...) {
    line()
    for text in lines { documentation(text) }
  }

  /// One line of documentation.
  mutating func documentation(_ text: String) { comment(text, mark: "///") }

  /// `// text` on one line, whatever is in it.
  mutating func comment(_ text: String, mark: String = "//") {
    line(text.isEmpty ? mark : "\(mark) \(SwiftText.comment(text))")
  }
}

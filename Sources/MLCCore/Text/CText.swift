/// Text in C, whatever the dialect.
package enum CText {
  /// A string literal of `text` in UTF-8. A NUL, where C's strings end, is spelled as `\u{0}`.
  ///
  /// What is neither a letter, a digit nor harmless punctuation is three octal digits: no quote, line, trigraph or
  /// splice is left, and no digit that follows joins an escape.
  package static func literal(_ text: String) -> String { literal(text, nul: #"\134u{0}"#) }

  /// A string literal of the UTF-8 of `text`, NUL a byte as others: whoever reads it knows how many they are.
  package static func bytes(_ text: String) -> String { literal(text, nul: #"\000"#) }

  private static func literal(_ text: String, nul: String) -> String {
    var out = "\""
    for byte in text.utf8 {
      if byte == 0 {
        out += nul
      } else if isPlain(byte) {
        out.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let octal = String(byte, radix: 8)
        out += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
      }
    }
    return out + "\""
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    isWord(byte) || punctuation.contains(byte)
  }
  private static let punctuation = Set(" _-+*/=.,:;()[]{}<>@#".utf8)

  /// Whether `name` is an identifier of ASCII letters, digits and `_`, of a length that every linker takes.
  package static func isSymbol(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first), name.utf8.count <= 500 else { return false }
    return name.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "_") }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20)
  }
}

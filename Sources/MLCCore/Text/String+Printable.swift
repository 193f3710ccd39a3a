extension Unicode.Scalar {
  /// Whether the character shows as itself, on its line, and moves nothing else: letters, marks, numbers, punctuation,
  /// symbols and spaces. Not so controls, ends of lines and paragraphs, marks of direction, whatever is invisible,
  /// private or unassigned.
  package var isPrintable: Bool {
    if isASCII { return (0x20..<0x7f).contains(value) }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation,
      .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator:
      return !properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }

  /// `\n`, `\r`, `\t`, `\u{1b}`: how Swift's string literals spell this character.
  package var escaped: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16))}"
    }
  }
}

extension String {
  /// One line of printable characters, for people: every other character is `escaped`. Text that has no other is
  /// unchanged.
  package var printable: String { escapingScalars { $0.isPrintable } }

  /// As `printable`, but with the line feeds and tabs that are there.
  package var printableLines: String { escapingScalars { $0.isPrintable || $0 == "\n" || $0 == "\t" } }

  /// As `printable`, and of at most `limit` characters: longer text loses its middle, and says how much. Showing what
  /// was shown already changes nothing.
  package func shown(_ limit: Int = 1000) -> String { printable.cut(to: limit) }

  /// The text, its middle replaced by how much that is where it is longer than `limit`, which is at least 60.
  package func cut(to limit: Int) -> String {
    precondition(limit >= 60)
    guard utf8.count > limit else { return self }
    let count = unicodeScalars.count
    guard count > limit else { return self }
    let kept = limit - 50
    let (head, tail) = (unicodeScalars.prefix(kept - kept / 3), unicodeScalars.suffix(kept / 3))
    return "\(String(head))… (\(count - kept) characters left out) …\(String(tail))"
  }

  private func escapingScalars(_ stands: (Unicode.Scalar) -> Bool) -> String {
    if unicodeScalars.allSatisfy(stands) { return self }
    var text = ""
    for scalar in unicodeScalars {
      if stands(scalar) { text.unicodeScalars.append(scalar) } else { text += scalar.escaped }
    }
    return text
  }
}

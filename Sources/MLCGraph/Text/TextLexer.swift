import MLCCore

/// One word of the text form.
enum TextToken: Equatable {
  /// A keyword, operator, port, element type or the start of a number's spelling: `conv`, `fp32`, `-1.5e3`, `nan`.
  case word(String)
  case string(String)
  /// `%x`, `@main`: the sigil and the name.
  case name(UInt8, String)
  case mark(UInt8)
  /// `->`, `...`
  case arrow, dots
  case end
}

/// Splits text into words; comments run from `//` to the end of the line.
struct TextLexer {
  private let bytes: [UInt8]
  private(set) var position = 0
  /// The line of `position`, from 1.
  private var line = 1
  /// The line of the last word that was taken.
  private(set) var takenLine = 1
  private var ahead: TextToken?

  init(_ text: String) { bytes = Array(text.utf8) }

  func problem(_ message: String, _ id: Diagnostic.ID = "text.syntax") -> Diagnostic {
    Diagnostic(id, "line \(takenLine): \(message)")
  }

  mutating func peek() throws(Diagnostic) -> TextToken {
    if let ahead { return ahead }
    let token = try scan()
    ahead = token
    return token
  }

  mutating func next() throws(Diagnostic) -> TextToken {
    let token = try peek()
    ahead = nil
    takenLine = line
    return token
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func skipBlanks() {
    while let next = byte() {
      if next == UInt8(ascii: "\n") {
        line += 1
      } else if next == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "/") {
        while let rest = byte(1), rest != UInt8(ascii: "\n") { position += 1 }
      } else if next != UInt8(ascii: " "), next != UInt8(ascii: "\t"), next != UInt8(ascii: "\r") {
        return
      }
      position += 1
    }
  }

  private mutating func scan() throws(Diagnostic) -> TextToken {
    skipBlanks()
    guard let first = byte() else { return .end }
    switch first {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "%"), UInt8(ascii: "@"):
      position += 1
      return .name(first, byte() == UInt8(ascii: "\"") ? try string() : try run(TextSpelling.isPlain))
    case UInt8(ascii: "-") where byte(1) == UInt8(ascii: ">"):
      position += 2
      return .arrow
    case UInt8(ascii: ".") where byte(1) == first && byte(2) == first:
      position += 3
      return .dots
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: ":"):
      position += 1
      return .mark(first)
    default: return .word(try word())
    }
  }

  /// Letters, digits, `_`, `.` up to `...`, and signs at the start or in an exponent.
  private mutating func word() throws(Diagnostic) -> String {
    let start = position
    let isNumber =
      bytes[start] == UInt8(ascii: "-") || bytes[start] == UInt8(ascii: "+") || (48...57).contains(bytes[start])
    if bytes[start] == UInt8(ascii: "-") || bytes[start] == UInt8(ascii: "+") { position += 1 }
    while let next = byte() {
      if next == UInt8(ascii: "."), byte(1) == next { break }
      let signs = next == UInt8(ascii: "-") || next == UInt8(ascii: "+")
      let inExponent = isNumber && signs && bytes[position - 1] | 32 == UInt8(ascii: "e")
      guard (TextSpelling.isPlain(next) && next != UInt8(ascii: "/")) || inExponent else { break }
      position += 1
    }
    guard position > start else { throw problem("unexpected character") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func run(_ holds: (UInt8) -> Bool) throws(Diagnostic) -> String {
    let start = position
    while let next = byte(), holds(next) { position += 1 }
    guard position > start else { throw problem("a name is missing") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func string() throws(Diagnostic) -> String {
    position += 1
    let start = position
    while let next = byte(), next != UInt8(ascii: "\"") {
      if next == UInt8(ascii: "\n") { line += 1 }
      position += next == UInt8(ascii: "\\") ? 2 : 1
    }
    guard byte() != nil else { throw problem("a string does not end") }
    guard let text = String(unescaping: bytes[start..<position]) else {
      throw problem("a string has an unknown escape or is not UTF-8")
    }
    position += 1
    return text
  }

  /// The parts between `[` and `]`, at commas outside parentheses and back-quotes.
  mutating func bracketed() throws(Diagnostic) -> [String] {
    guard try next() == .mark(UInt8(ascii: "[")) else { throw problem("'[' is missing") }
    var parts: [String] = []
    var part: [UInt8] = []
    var (depth, isQuoted) = (0, false)
    while let next = byte(), next != UInt8(ascii: "\n") {
      position += 1
      if next == UInt8(ascii: "`") { isQuoted.toggle() }
      if !isQuoted {
        if next == UInt8(ascii: "]") {
          let last = String(decoding: part, as: UTF8.self)
          return parts.isEmpty && last.allSatisfy({ $0 == " " }) ? [] : parts + [last]
        }
        depth += next == UInt8(ascii: "(") ? 1 : next == UInt8(ascii: ")") ? -1 : 0
        if next == UInt8(ascii: ","), depth == 0 {
          parts.append(String(decoding: part, as: UTF8.self))
          part = []
          continue
        }
      }
      part.append(next)
    }
    throw problem("a list does not end on its line")
  }
}

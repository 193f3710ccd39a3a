extension Dim {
  /// Reads what `description` prints, so that `Dim(parsing: "\(dim)") == dim`: sums, differences and products of
  /// integers, names, back-quoted names, `floor(a, b)`, `max(a, b)`, `min(a, b)` and parentheses; `a // b` is
  /// `floor(a, b)`.
  ///
  /// Throws `dim.syntax` when the text is anything else, and `dim.too-large` beyond 64 KiB, 64 levels of nesting, 256
  /// terms, 16 factors of a term, a number of 2⁶⁰, or 2¹³ terms of all sums and products on the way.
  package init(parsing text: String) throws(Diagnostic) {
    let length = text.utf8.count
    guard length <= 1 << 16 else { throw Diagnostic("dim.too-large", "a size of \(length) characters") }
    var parser = DimParser(text: text, bytes: Array(text.utf8))
    self = try parser.sum()
    guard parser.peek() == nil else { throw parser.unexpected() }
  }
}

/// Recursive descent over the bytes of one dim.
private struct DimParser {
  let text: String, bytes: [UInt8]
  var position = 0, depth = 0
  /// Terms of all sums and products so far: what reading takes is bounded by them.
  var work = 0

  mutating func peek() -> UInt8? {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(Diagnostic) {
    guard accept(character) else { throw unexpected() }
  }

  func unexpected() -> Diagnostic {
    Diagnostic("dim.syntax", "'\(text)' is not a size: unexpected text at character \(position + 1)")
  }

  func tooLarge(_ what: String) -> Diagnostic { Diagnostic("dim.too-large", "the size '\(text)' has \(what)") }

  mutating func sum() throws(Diagnostic) -> Dim {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw tooLarge("more than 64 levels") }
    var value = try product()
    while true {
      let isSum = accept("+")
      guard isSum || accept("-") else { return value }
      let next = try product()
      value = try checked(isSum ? value + next : value - next)
    }
  }

  /// `value`, unless it is larger than any size of a model.
  mutating func checked(_ value: Dim) throws(Diagnostic) -> Dim {
    work += value.terms.count
    guard value.terms.count <= 256, work <= 1 << 13 else { throw tooLarge("too many terms") }
    guard value.terms.allSatisfy({ $0.atoms.count <= 16 }) else { throw tooLarge("a product of more than 16 factors") }
    return value
  }

  mutating func product() throws(Diagnostic) -> Dim {
    let negative = accept("-")
    var value = try factor()
    while let next = peek(), next == UInt8(ascii: "*") || next == UInt8(ascii: "/") {
      position += 1
      if next == UInt8(ascii: "*") {
        let other = try factor()
        guard value.terms.count * other.terms.count <= 256 else { throw tooLarge("more than 256 terms") }
        value = try checked(value * other)
      } else {
        try expect("/")
        value = try checked(value.floorDiv(try factor()))
      }
    }
    return negative ? -value : value
  }

  mutating func factor() throws(Diagnostic) -> Dim {
    guard let first = peek() else { throw unexpected() }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return Dim(try number())
    case UInt8(ascii: "("):
      position += 1
      let value = try sum()
      try expect(")")
      return value
    case UInt8(ascii: "`"): return .symbol(try quotedName())
    default: return try named(try name())
    }
  }

  mutating func number() throws(Diagnostic) -> Int {
    var value = 0
    while position < bytes.count, case let digit = bytes[position], (48...57).contains(digit) {
      guard value <= (1 << 60) / 10 else { throw tooLarge("a number above 2^60") }
      value = value * 10 + Int(digit - 48)
      position += 1
    }
    return value
  }

  mutating func name() throws(Diagnostic) -> String {
    let start = position
    while position < bytes.count, Dim.isNamePart(bytes[position]) { position += 1 }
    guard position > start else { throw unexpected() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func quotedName() throws(Diagnostic) -> String {
    position += 1
    let rest = bytes[position...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "`")), end > position else { throw unexpected() }
    let content = bytes[position..<end]
    guard let name = String(unescaping: content) else { throw unexpected() }
    position = end + 1
    return name
  }

  mutating func named(_ name: String) throws(Diagnostic) -> Dim {
    guard ["floor", "max", "min"].contains(name) else { return .symbol(name) }
    try expect("(")
    let a = try sum()
    try expect(",")
    let b = try sum()
    try expect(")")
    switch name {
    case "floor": return a.floorDiv(b)
    case "max": return .max(a, b)
    default: return .min(a, b)
    }
  }
}

extension Dim {
  /// Whether `byte` may stand in a name that prints without quotes.
  fileprivate static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 48...57, 46, 95: true
    default: false
    }
  }
}

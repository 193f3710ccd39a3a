extension JSON {
  /// Reads one JSON value (RFC 8259) that fills `bytes`, behind a byte order mark if there is one. Throws `json.syntax`
  /// when it is malformed, not UTF-8 or has a key twice, and `json.too-large` beyond 64 MiB or 64 levels.
  package init(parsing bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    guard bytes.count <= 1 << 26 else { throw Diagnostic("json.too-large", "\(bytes.count) bytes of JSON") }
    var parser = JSONParser(bytes)
    self = try parser.document()
  }

  package init(parsing text: String) throws(Diagnostic) {
    let result: Result<JSON, Diagnostic> = Array(text.utf8).withUnsafeBytes { bytes in
      do throws(Diagnostic) { return .success(try JSON(parsing: bytes)) } catch { return .failure(error) }
    }
    self = try result.get()
  }
}

/// Recursive descent over bytes that stay valid while it lives.
private struct JSONParser {
  private var scanner: JSONScanner
  private var depth = 0

  init(_ bytes: UnsafeRawBufferPointer) { scanner = JSONScanner(bytes) }

  mutating func document() throws(Diagnostic) -> JSON {
    try scanner.requireUTF8()
    let value = try value()
    try scanner.expectEnd()
    return value
  }

  private mutating func value() throws(Diagnostic) -> JSON {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw Diagnostic("json.too-large", "more than 64 levels of JSON") }
    scanner.skipSpace()
    switch scanner.next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try scanner.string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some: return try number()
    case nil: throw scanner.syntax("unexpected end")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(Diagnostic) -> JSON {
    guard scanner.take(word) else { throw scanner.syntax("unknown word") }
    return value
  }

  private mutating func array() throws(Diagnostic) -> JSON {
    try scanner.expect("[")
    var items: [JSON] = []
    if scanner.take("]") { return .array(items) }
    repeat { items.append(try value()) } while scanner.take(",")
    try scanner.expect("]")
    return .array(items)
  }

  private mutating func object() throws(Diagnostic) -> JSON {
    try scanner.expect("{")
    var members: [String: JSON] = [:]
    if scanner.take("}") { return .object(members) }
    repeat {
      let key = try scanner.string()
      try scanner.expect(":")
      guard members.updateValue(try value(), forKey: key) == nil else { throw scanner.syntax("key '\(key)' again") }
    } while scanner.take(",")
    try scanner.expect("}")
    return .object(members)
  }

  private mutating func number() throws(Diagnostic) -> JSON {
    let start = scanner.position
    if scanner.next == UInt8(ascii: "-") { scanner.position += 1 }
    let digits = scanner.position
    try requireDigits()
    guard scanner.position == digits + 1 || scanner.bytes[digits] != 48 else {
      throw scanner.syntax("malformed number")
    }
    var isInteger = true
    if scanner.next == UInt8(ascii: ".") {
      (isInteger, scanner.position) = (false, scanner.position + 1)
      try requireDigits()
    }
    if scanner.next == UInt8(ascii: "e") || scanner.next == UInt8(ascii: "E") {
      (isInteger, scanner.position) = (false, scanner.position + 1)
      if scanner.next == UInt8(ascii: "+") || scanner.next == UInt8(ascii: "-") { scanner.position += 1 }
      try requireDigits()
    }
    let text = String(decoding: scanner.bytes[start..<scanner.position], as: UTF8.self)
    if isInteger, let value = Int(text) { return .integer(value) }
    guard text.utf8.count <= 512, let value = Double(text), value.isFinite else {
      throw scanner.syntax("number out of range")
    }
    return .number(value)
  }

  private mutating func requireDigits() throws(Diagnostic) {
    let start = scanner.position
    while let byte = scanner.next, (48...57).contains(byte) { scanner.position += 1 }
    guard scanner.position > start else { throw scanner.syntax("malformed number") }
  }
}

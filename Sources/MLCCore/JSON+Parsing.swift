extension JSON {
  /// Reads one JSON value (RFC 8259) that fills `bytes`. Throws `json.syntax` when it is malformed, not UTF-8 or has a key
  /// twice, and `json.too-large` beyond 64 MiB or 64 levels.
  package init(parsing bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    guard bytes.count <= 1 << 26 else { throw Diagnostic("json.too-large", "\(bytes.count) bytes of JSON") }
    var parser = JSONParser(bytes: bytes)
    self = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.syntax("text after the value") }
  }

  package init(parsing text: String) throws(Diagnostic) {
    let result: Result<JSON, Diagnostic> = Array(text.utf8).withUnsafeBytes { bytes in
      do throws(Diagnostic) { return .success(try JSON(parsing: bytes)) } catch { return .failure(error) }
    }
    self = try result.get()
  }
}

/// Recursive descent over bytes that stay valid while it lives.
struct JSONParser {
  let bytes: UnsafeRawBufferPointer
  var position = 0
  private var depth = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  func syntax(_ what: String) -> Diagnostic { Diagnostic("json.syntax", "\(what) at byte \(position)") }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(Diagnostic) {
    guard accept(character) else { throw syntax("expected '\(character)'") }
  }

  mutating func value() throws(Diagnostic) -> JSON {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw Diagnostic("json.too-large", "more than 64 levels of JSON") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some: return try number()
    case nil: throw syntax("unexpected end")
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(Diagnostic) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw syntax("unknown word") }
    position += word.utf8.count
    return value
  }

  private mutating func array() throws(Diagnostic) -> JSON {
    try expect("[")
    var items: [JSON] = []
    if accept("]") { return .array(items) }
    repeat { items.append(try value()) } while accept(",")
    try expect("]")
    return .array(items)
  }

  private mutating func object() throws(Diagnostic) -> JSON {
    try expect("{")
    var members: [String: JSON] = [:]
    if accept("}") { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw syntax("expected a key") }
      let key = try string()
      try expect(":")
      guard members.updateValue(try value(), forKey: key) == nil else { throw syntax("key '\(key)' again") }
    } while accept(",")
    try expect("}")
    return .object(members)
  }

  private mutating func number() throws(Diagnostic) -> JSON {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let digits = position
    try requireDigits()
    guard position == digits + 1 || bytes[digits] != 48 else { throw syntax("malformed number") }
    var isInteger = true
    if next == UInt8(ascii: ".") {
      (isInteger, position) = (false, position + 1)
      try requireDigits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      (isInteger, position) = (false, position + 1)
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try requireDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int(text) { return .integer(value) }
    guard text.utf8.count <= 512, let value = Double(text), value.isFinite else { throw syntax("number out of range") }
    return .number(value)
  }

  private mutating func requireDigits() throws(Diagnostic) {
    let start = position
    while let byte = next, (48...57).contains(byte) { position += 1 }
    guard position > start else { throw syntax("malformed number") }
  }
}

/// A position in JSON text (RFC 8259): space, words and strings. Its bytes must stay valid while it lives.
package struct JSONScanner {
  /// What some editors write before UTF-8 text; no part of the text (RFC 8259, 8.1).
  package static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  package let bytes: UnsafeRawBufferPointer
  package var position = 0

  /// At the start of the text, behind a byte order mark.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
  }

  /// Throws `json.syntax`, located at the start, for text of 16 bits a character: as its byte order mark says, or its
  /// first character, which is one of ASCII in any JSON.
  package func requireUTF8() throws(Diagnostic) {
    let isMarked = bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
    guard isMarked || (bytes.count > 1 && (bytes[0] == 0) != (bytes[1] == 0)) else { return }
    throw Diagnostic(
      "json.syntax",
      "this is UTF-16, and JSON is UTF-8",
      at: Location(position: TextPosition(line: 1, column: 1)),
      notes: ["save it as UTF-8, as 'iconv -f UTF-16 -t UTF-8 IN > OUT' does"]
    )
  }

  package func syntax(_ what: String) -> Diagnostic {
    let place = Location(position: TextPosition(bytes, offset: position))
    return Diagnostic("json.syntax", "\(what) at byte \(position)", at: place)
  }

  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  /// Skips space and, if it comes then, `token`.
  package mutating func take(_ token: StaticString) -> Bool {
    skipSpace()
    let expected = UnsafeRawBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
    guard bytes[position...].starts(with: expected) else { return false }
    position += expected.count
    return true
  }

  package mutating func expect(_ token: StaticString) throws(Diagnostic) {
    if !take(token) { throw syntax("expected '\(token)'") }
  }

  /// The end of the text, after space. Throws `json.syntax` for anything else.
  package mutating func expectEnd() throws(Diagnostic) {
    skipSpace()
    if position < bytes.count { throw syntax("text after the value") }
  }

  /// A string, quotes and all. Throws `json.syntax` where none stands or it is malformed or not UTF-8.
  package mutating func string() throws(Diagnostic) -> String {
    try expect("\"")
    var content: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw syntax("control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\\") { try escape(into: &content) } else { content.append(byte) }
    }
    guard next != nil else { throw syntax("unfinished string") }
    position += 1
    guard let text = String(validating: content, as: UTF8.self) else { throw syntax("string that is not UTF-8") }
    return text
  }

  private mutating func escape(into content: inout [UInt8]) throws(Diagnostic) {
    guard let byte = next else { throw syntax("unfinished string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0c)
    case UInt8(ascii: "n"): content.append(0x0a)
    case UInt8(ascii: "r"): content.append(0x0d)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content.append(contentsOf: Character(try escapedScalar()).utf8)
    default: throw syntax("unknown escape")
    }
  }

  /// The scalar of an escape of four hexadecimal digits, or of a pair of surrogates.
  private mutating func escapedScalar() throws(Diagnostic) -> Unicode.Scalar {
    let first = try hexUnit()
    if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
    guard first < 0xdc00, bytes[position...].starts(with: "\\u".utf8) else { throw syntax("lone surrogate") }
    position += 2
    let second = try hexUnit()
    guard (0xdc00..<0xe000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
    else { throw syntax("lone surrogate") }
    return scalar
  }

  private mutating func hexUnit() throws(Diagnostic) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      switch next {
      case .some(let byte) where (48...57).contains(byte): value = value << 4 | UInt16(byte - 48)
      case .some(let byte) where (97...102).contains(byte | 0x20): value = value << 4 | UInt16((byte | 0x20) - 87)
      default: throw syntax("malformed escape")
      }
      position += 1
    }
    return value
  }
}

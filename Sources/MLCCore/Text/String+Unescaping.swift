extension String {
  /// Reads UTF-8 in which characters may be `escaped`, and quotes and backslashes follow a backslash; `nil` for an
  /// escape that is none of `\n`, `\r`, `\t`, `\0`, `\"`, `\\` and `\u{1b}`, and for what is not UTF-8.
  package init?(unescaping bytes: ArraySlice<UInt8>) {
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\\") {
        content.append(byte)
      } else if let scalar = String.escapedScalar(&rest) {
        content += Array(String(scalar).utf8)
      } else {
        return nil
      }
    }
    guard let text = String(validating: content, as: UTF8.self) else { return nil }
    self = text
  }

  /// The character that an escape means; its backslash is taken already.
  private static func escapedScalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch rest.popFirst() {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "0"): return "\0"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "u"):
      guard rest.popFirst() == UInt8(ascii: "{"), let end = rest.prefix(9).firstIndex(of: UInt8(ascii: "}")) else {
        return nil
      }
      let digits = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      return digits.hasPrefix("+") || digits.hasPrefix("-")
        ? nil : UInt32(digits, radix: 16).flatMap { Unicode.Scalar($0) }
    default: return nil
    }
  }
}

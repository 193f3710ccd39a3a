extension JSON {
  /// The text as a JSON string, quotes and all: what is not printable as UTF-16 in `\u001b`, so that any reader gives
  /// it back.
  package static func quoted(_ string: String) -> String {
    string.quoted { scalar in
      switch scalar {
      case "\n", "\r", "\t": scalar.escaped
      default:
        UTF16.encode(scalar)!.map { unit in
          let digits = String(unit, radix: 16)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
      }
    }
  }
}

import MLCCore

extension JSON {
  /// The value on one line, keys sorted.
  var line: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): JSON.quoted(value)
    case .array(let values): "[" + values.map { $0.line }.joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\(JSON.quoted($0.key)): \($0.value.line)" }.joined(separator: ", ")
        + "}"
    }
  }

  /// A number rounded to `digits` decimals; JSON has no infinity and no NaN: they are `null`.
  static func rounded(_ value: Double, _ digits: Int) -> JSON {
    guard value.isFinite else { return .null }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return .number((value * scale).rounded() / scale)
  }

  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": out += "\\\(scalar)"
      case "\n": out += "\\n"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}

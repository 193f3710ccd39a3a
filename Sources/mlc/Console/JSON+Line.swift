import MLCCore

extension JSON {
  /// The value on one line, keys sorted.
  var line: ConsoleText { ConsoleText(document: spelled) }

  private var spelled: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): JSON.quoted(value)
    case .array(let values): "[" + values.map { $0.spelled }.joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\(JSON.quoted($0.key)): \($0.value.spelled)" }
        .joined(separator: ", ") + "}"
    }
  }

  /// A number rounded to `digits` decimals; JSON has no infinity and no NaN: they are `null`.
  static func rounded(_ value: Double, _ digits: Int) -> JSON {
    guard value.isFinite else { return .null }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return .number((value * scale).rounded() / scale)
  }
}

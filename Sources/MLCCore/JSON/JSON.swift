/// A JSON value. Numbers keep whether they were written as integers.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// The text of this value: keys sorted, two spaces a level, one line for what holds no array or object, so that equal
  /// values have equal bytes. Numbers must be finite.
  package var text: String {
    var out: [UInt8] = []
    write(to: &out, indent: 0)
    out.append(UInt8(ascii: "\n"))
    return String(decoding: out, as: UTF8.self)
  }

  private var isFlat: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private func write(to out: inout [UInt8], indent: Int) {
    switch self {
    case .null: out += "null".utf8
    case .bool(let value): out += (value ? "true" : "false").utf8
    case .integer(let value): out += "\(value)".utf8
    case .number(let value):
      precondition(value.isFinite, "JSON has no \(value)")
      out += "\(value)".utf8
    case .string(let value): out += JSON.quoted(value).utf8
    case .array(let values):
      JSON.writeItems(values.map { (nil, $0) }, "[", "]", to: &out, indent: indent)
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      JSON.writeItems(sorted.map { ($0.key, $0.value) }, "{", "}", to: &out, indent: indent)
    }
  }

  /// Items in brackets, each after its key when it has one.
  private static func writeItems(
    _ items: [(key: String?, value: JSON)],
    _ open: Unicode.Scalar,
    _ close: Unicode.Scalar,
    to out: inout [UInt8],
    indent: Int
  ) {
    let inline = items.allSatisfy { $0.value.isFlat }
    func newLine(_ columns: Int) {
      out.append(UInt8(ascii: "\n"))
      out += repeatElement(UInt8(ascii: " "), count: columns)
    }
    out.append(UInt8(ascii: open))
    for (index, item) in items.enumerated() {
      if index > 0 { out += (inline ? ", " : ",").utf8 }
      if !inline { newLine(indent + 2) }
      if let key = item.key {
        out += quoted(key).utf8
        out += ": ".utf8
      }
      item.value.write(to: &out, indent: indent + 2)
    }
    if !inline { newLine(indent) }
    out.append(UInt8(ascii: close))
  }
}

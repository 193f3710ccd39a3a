import MLCCore
import MLCGraph
import MLCKernels

/// What an operator's schema says of it.
struct OperatorPage {
  private struct Row {
    var name: String, note: String
  }
  private let name: String
  private let inputs: [Row], attributes: [Row]
  private let outputs: [String], blocks: [String]
  private let isLowered: Bool

  init(_ type: any Operator.Type) {
    name = type.name
    inputs = type.ports.map { Row(name: $0.name, note: OperatorPage.note($0)) }
    outputs = type.outputNames
    blocks = type.blockNames
    let op = type.init()
    isLowered = op is any Lowerable || op is Const || op is any ConstantExpression
    let defaults = Dictionary(op.attributes.map { ($0.name, "\($0.value)") }) { first, _ in first }
    attributes = type.attributeNames.map { Row(name: $0, note: OperatorPage.defaultNote(defaults[$0])) }
  }

  private static func note(_ port: Port) -> String {
    var parts: [String] = []
    switch port.arity {
    case .required: break
    case .optional: parts.append("optional")
    case .variadic: parts.append("any number")
    }
    if let rank = port.rank {
      let (low, high) = (rank.lowerBound, rank.upperBound)
      parts.append(low == high ? "rank \(low)" : high >= 64 ? "rank \(low) or more" : "rank \(low) to \(high)")
    }
    return parts.joined(separator: ", ")
  }

  /// `int(1)` is how an attribute's value describes itself; its payload is what matters.
  private static func defaultNote(_ value: String?) -> String {
    guard let value else { return "absent by default" }
    guard let open = value.firstIndex(of: "("), value.hasSuffix(")"), !value.hasPrefix("tensor") else { return "" }
    return "default \(value[value.index(after: open)...].dropLast())"
  }

  var text: ConsoleText {
    var lines: [ConsoleText] = ["\(name)", ""]
    func section(_ title: String, _ rows: [Row]) {
      if rows.isEmpty { return }
      var table = Table(["  \(title)", ""])
      for row in rows { table.add(["    \(row.name)", row.note]) }
      lines.append(table.text)
    }
    section("inputs", inputs)
    section("outputs", outputs.map { Row(name: $0, note: "") })
    section("attributes", attributes)
    section("blocks", blocks.map { Row(name: $0, note: "") })
    lines += [
      "", isLowered ? "Compiles for every target." : "Cannot be compiled yet; the reference interpreter runs it.",
    ]
    return lines.joined(separator: "\n")
  }

  var json: JSON {
    func rows(_ rows: [Row]) -> JSON {
      .array(rows.map { .object(["name": .string($0.name), "note": .string($0.note)]) })
    }
    return .object([
      "operator": .string(name), "inputs": rows(inputs), "attributes": rows(attributes),
      "outputs": .array(outputs.map { .string($0) }), "blocks": .array(blocks.map { .string($0) }),
      "compiles": .bool(isLowered),
    ])
  }
}

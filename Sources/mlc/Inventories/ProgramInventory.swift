import MLCCore
import MLCGraph
import MLCKernels

/// What a function is made of: operators by count, weights by element type, what cannot be compiled.
struct ProgramInventory {
  private struct Row {
    var name: String, count = 0, isLowered: Bool, nodes: [String] = []
  }
  private var rows: [String: Row] = [:]
  private var weights: [DType: (count: Int, bytes: Int)] = [:]

  private let compressed: CompressedInventory

  init(_ function: Function) {
    compressed = CompressedInventory(function)
    add(function.body)
  }

  private mutating func add(_ block: Block) {
    for operation in block.operations {
      for nested in operation.blocks { add(nested) }
      if let constant = operation.op as? Const {
        weights[constant.val.dtype, default: (0, 0)].count += constant.val.count
        weights[constant.val.dtype, default: (0, 0)].bytes += constant.val.byteCount
        continue
      }
      let isLowered = operation.op is any Lowerable || operation.isConstantExpression
      rows[operation.name, default: Row(name: operation.name, isLowered: isLowered)].count += 1
      if !isLowered, let node = operation.origin.node { rows[operation.name]?.nodes.append(node) }
    }
  }

  private var sorted: [Row] { rows.values.sorted { ($1.count, $0.name) < ($0.count, $1.name) } }
  private var missing: [Row] { sorted.filter { !$0.isLowered } }
  private var parameters: Int { weights.values.reduce(0) { $0 + $1.count } }
  private var bytes: Int { weights.values.reduce(0) { $0 + $1.bytes } }

  var text: ConsoleText {
    var table = Table(["operator", "count", ""], right: [1])
    for row in sorted { table.add([row.name, "\(row.count)", row.isLowered ? "" : "cannot be compiled yet"]) }
    let types = weights.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue) \($0.value.bytes.megabytes) MB" }.joined(separator: ", ")
    var text: ConsoleText = "weights: \(parameters.grouped) elements, \(bytes.megabytes) MB (\(types))\n\n"
    if !compressed.isEmpty { text += "\(compressed.text)\n\n" }
    text += "\(sorted.reduce(0) { $0 + $1.count }.of("operation"))\n\n\(table.text)"
    for row in missing {
      text += "\n\n\(row.name) cannot be compiled yet, in \(abridged(row.nodes, 6))"
    }
    return text
  }

  var json: [String: JSON] {
    let types = weights.map {
      ($0.key.rawValue, JSON.object(["count": .integer($0.value.count), "bytes": .integer($0.value.bytes)]))
    }
    return [
      "operators": .object(Dictionary(rows.values.map { ($0.name, .integer($0.count)) }) { first, _ in first }),
      "not_compiled": .array(missing.map { .string($0.name) }),
      "parameters": .integer(parameters), "weight_bytes": .integer(bytes),
      "weights": .object(Dictionary(types) { first, _ in first }), "compressed": compressed.json,
    ]
  }
}

import MLCCore
import MLCGraph
import MLCPackage

/// The compressed weights of a function, by form.
struct CompressedInventory {
  private struct Row {
    var weights = 0, elements = 0, bytes = 0
    var bits: Double { Double(bytes) * 8 / Double(max(1, elements)) }
  }
  private var rows: [String: Row] = [:]
  private var makers: [ValueID: Operation] = [:]

  init(_ function: Function) {
    collect(function.body)
    var read: Set<ValueID> = []
    for operation in makers.values where operation.isConstantExpression { read.formUnion(operation.inputs.joined()) }
    let results = makers.filter { $0.value.isConstantExpression }.keys.sorted()
    for result in results {
      guard let maker = makers[result], maker.outputs.first == result,
        !maker.outputs.contains(where: read.contains)
      else { continue }
      add(maker, function)
    }
  }

  private mutating func collect(_ block: Block) {
    for operation in block.operations {
      for output in operation.outputs { makers[output] = operation }
      for nested in operation.blocks { collect(nested) }
    }
  }

  /// A weight, and all that it is made from.
  private mutating func add(_ last: Operation, _ function: Function) {
    var (open, bytes, seen) = ([last], 0, Set<ValueID>())
    var types: [String] = []
    while let operation = open.popLast() {
      for id in operation.inputs.joined() where seen.insert(id).inserted {
        guard let maker = makers[id] else { continue }
        if maker.isConstantExpression {
          if !open.contains(where: { $0.outputs == maker.outputs }) { open.append(maker) }
        } else if let tensor = function.fact(id).value {
          bytes += tensor.byteCount
          if tensor.dtype.isInteger, tensor.dtype != .uint1 || operation.name == "constexpr_lut_to_dense" {
            types.append(tensor.dtype.rawValue)
          }
        }
      }
    }
    let names = types.isEmpty ? "" : " of \(types[0])"
    let result = function.type(last.outputs[0])
    let form = "\(last.name)\(names)"
    rows[form, default: Row()].weights += 1
    rows[form, default: Row()].elements += result.staticShape?.checkedProduct ?? 0
    rows[form, default: Row()].bytes += bytes
  }

  var isEmpty: Bool { rows.isEmpty }

  var text: ConsoleText {
    var table = Table(["compressed weights", "count", "elements", "MB", "bits"], right: [1, 2, 3, 4])
    for (form, row) in rows.sorted(by: { $0.key < $1.key }) {
      table.add([form, "\(row.weights)", row.elements.grouped, row.bytes.megabytes, row.bits.fixed(2)])
    }
    return table.text
  }

  var json: JSON {
    .array(
      rows.sorted { $0.key < $1.key }.map { form, row in
        .object([
          "form": .string(form), "count": .integer(row.weights), "elements": .integer(row.elements),
          "bytes": .integer(row.bytes), "bits": .rounded(row.bits, 4),
        ])
      }
    )
  }
}

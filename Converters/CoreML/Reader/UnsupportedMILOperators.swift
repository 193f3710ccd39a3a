import CoreMLProto
import MLCCore
import MLCOps

/// Every operator of a program that mlc does not have: found before import starts, reported in one table.
struct UnsupportedMILOperators {
  /// Nodes by operator.
  private(set) var nodes: [String: [String]] = [:]

  init(_ program: MILProgram) {
    for name in program.functions.keys.sorted() {
      let function = program.functions[name]!
      if let body = function.blockSpecializations[function.opset] { walk(body) }
    }
  }

  private mutating func walk(_ block: MILBlock) {
    for operation in block.operations {
      let type = operation.type
      let known =
        MILConstexpr.handles(type) || MILImportTable.rule(type) != nil
        || OperatorSet.named(MILGenericImport.name(type)) != nil
      if !known { nodes[type, default: []].append(operation.outputs.first?.name ?? type) }
      for nested in operation.blocks { walk(nested) }
    }
  }

  /// `coreml.unsupported` with one note an operator, or `nil` when everything is supported.
  var diagnostic: Diagnostic? {
    if nodes.isEmpty { return nil }
    let count = nodes.values.reduce(0) { $0 + $1.count }
    let width = nodes.keys.map(\.count).max() ?? 0
    let notes = nodes.sorted { $0.key < $1.key }.map { type, names in
      let list = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", …" : "")
      let advice = Self.advice[type].map { " (\($0))" } ?? ""
      return "\(type)\(String(repeating: " ", count: width - type.count))  ×\(names.count)  \(list)\(advice)"
    }
    return Diagnostic(
      "coreml.unsupported",
      "\(nodes.count) operator\(nodes.count == 1 ? "" : "s") in \(count) node\(count == 1 ? "" : "s") cannot be imported",
      kind: .unsupported,
      notes: notes
    )
  }

  private static let advice: [String: String] = [
    "read_state": "pass the state in and out as tensors",
    "write_state": "pass the state in and out as tensors",
    "coreml_update_state": "pass the state in and out as tensors",
    "classify": "convert without ClassifierConfig and map classes in the application",
    "make_list": "unroll the loop before converting",
    "non_maximum_suppression": "cut the model before it and select boxes in the application",
  ]
}

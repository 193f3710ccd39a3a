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
    UnsupportedTable(
      nodes.sorted { $0.key < $1.key }.map { type, names in .init([type], nodes: names, advice: Self.advice[type]) }
    ).diagnostic("coreml.unsupported", noun: "operator", place: "node")
  }

  private static let advice: [String: String] = [
    "classify": "convert without ClassifierConfig and map classes in the application",
    "make_list": "unroll the loop before converting",
    "non_maximum_suppression": "cut the model before it and select boxes in the application",
  ]
}

import CoreMLProto
import MLCCore
import MLCOps

/// Every operator of a program that mlc does not have: found before import starts, reported in one table.
enum UnsupportedMILOperators {
  /// `coreml.unsupported` with one note an operator, or `nil` when everything is supported.
  static func report(_ program: MILProgram) -> Diagnostic? {
    var table = UnsupportedTable(advice: [:])
    func walk(_ block: MILBlock) {
      for operation in block.operations {
        let type = operation.type
        let known =
          MILConstexpr.handles(type) || MILImportTable.rule(type) != nil
          || OperatorSet.named(MILGenericImport.name(type)) != nil
        if !known { table.add(type, node: operation.outputs.first?.name ?? type) }
        for nested in operation.blocks { walk(nested) }
      }
    }
    for name in program.functions.keys.sorted() {
      let function = program.functions[name]!
      if let body = function.blockSpecializations[function.opset] { walk(body) }
    }
    return table.diagnostic("coreml.unsupported", noun: "operator", place: "node")
  }

}

import MLCCore
import MLCGraph
import MLCOps

/// How one ONNX operator, or a few that are nearly one, become operations: a conforming type with a file of its own, or
/// a row of `ONNXRule+Rows.swift`. Inputs are tensors but for an `ONNXValueOperator`.
package struct ONNXRule: Sendable {
  package let types: [String]
  package let domain: String
  package let sinceOpset: Int
  /// As `ONNXOperatorEntry` has them.
  package let operation: String?
  package let note: String
  package let convert: @Sendable (ONNXNode, inout ONNXContext) throws(Diagnostic) -> [ONNXValue]

  init(_ type: any ONNXOperator.Type) {
    (types, domain, sinceOpset) = (type.types, type.domain, type.sinceOpset)
    (operation, note) = (type.operation, type.note)
    convert = Self.ofTensors { (node, context) throws(Diagnostic) in try type.convert(node, in: &context) }
  }

  init(_ type: any ONNXValueOperator.Type) {
    (types, domain, sinceOpset) = (type.types, type.domain, type.sinceOpset)
    (operation, note) = (type.operation, type.note)
    convert = { (node, context) throws(Diagnostic) in try type.convert(node, in: &context) }
  }

  private init(
    _ type: String,
    since: Int,
    _ operation: String?,
    _ convert: @escaping @Sendable (ONNXNode, inout ONNXContext) throws(Diagnostic) -> [ValueID]
  ) {
    (types, domain, sinceOpset, self.convert) = ([type], "", since, Self.ofTensors(convert))
    (self.operation, note) = (operation, "")
  }

  /// What refuses nodes with other inputs, by `onnx.sequence`.
  private static func ofTensors(
    _ convert: @escaping @Sendable (ONNXNode, inout ONNXContext) throws(Diagnostic) -> [ValueID]
  ) -> @Sendable (ONNXNode, inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    { (node, context) throws(Diagnostic) in
      for (index, name) in node.inputs.enumerated() {
        if let value = context.values[name] { _ = try context.tensor(value, "input \(index)") }
      }
      return try convert(node, &context).map { .tensor($0) }
    }
  }

  private static func name(of op: any Operator) -> String { Swift.type(of: op).name }

  static func elementwise(_ type: String, since: Int = 1, _ op: any Operator) -> ONNXRule {
    ONNXRule(type, since: since, name(of: op)) { (_, context) throws(Diagnostic) in try context.elementwise(op) }
  }

  static func broadcasting(_ type: String, _ op: any Operator) -> ONNXRule {
    ONNXRule(type, since: 1, name(of: op)) { (_, context) throws(Diagnostic) in try context.broadcasting(op) }
  }

  static func elementwise(
    _ type: String,
    since: Int = 1,
    _ op: @escaping @Sendable (ONNXNode) throws(Diagnostic) -> any Operator
  ) -> ONNXRule {
    // The attributes' defaults say which operator it is.
    let usual = try? op(ONNXNode(opType: type))
    return ONNXRule(type, since: since, usual.map { name(of: $0) }) { (node, context) throws(Diagnostic) in
      try context.elementwise(try op(node))
    }
  }

  /// `ofNone` is what a reduction over no axes does to each element.
  static func reduction<Op: Reduction>(_ type: String, _ op: Op.Type, ofNone: [any Operator] = []) -> ONNXRule {
    ONNXRule(type, since: 1, Op.name) { (node, context) throws(Diagnostic) in
      [try context.reduction(node, op, ofNone: ofNone)]
    }
  }

  static func argReduction<Op: ArgReduction>(_ type: String, _ op: Op.Type) -> ONNXRule {
    ONNXRule(type, since: 1, Op.name) { (node, context) throws(Diagnostic) in [try context.argReduction(node, op)] }
  }

  static func variadic(_ type: String, _ op: any Operator) -> ONNXRule {
    ONNXRule(type, since: 1, name(of: op)) { (_, context) throws(Diagnostic) in [try context.folded(op)] }
  }
}

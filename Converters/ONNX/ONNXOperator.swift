import MLCCore
import MLCGraph

/// What users read of an ONNX operator.
package protocol ONNXOperatorEntry: Sendable {
  /// ONNX operator types, as `NodeProto.op_type` spells them.
  static var types: [String] { get }
  /// `""` is the standard domain.
  static var domain: String { get }
  /// The operator set that the operator came with; a node under an older one is refused. What later sets changed in
  /// its meaning is read by the version of the model.
  static var sinceOpset: Int { get }
  /// The graph's operator that a node becomes, `conv`, or those of several types; `nil` where nodes become several
  /// operations each.
  static var operation: String? { get }
  /// What is taken of it if not all, in a few words; empty otherwise.
  static var note: String { get }
}

extension ONNXOperatorEntry {
  package static var domain: String { "" }
  package static var sinceOpset: Int { 1 }
  package static var operation: String? { nil }
  package static var note: String { "" }
}

/// How an ONNX operator becomes operations of the graph, where that takes more than a row of `ONNXRule+Rows.swift`. One
/// conforming type per operator (or per family of truly identical ones), one file each under `Operators/`, one row each
/// in `ONNXOperatorTable.types`.
package protocol ONNXOperator: ONNXOperatorEntry {
  /// Appends what `node` means and gives one value per output of the node (trailing optional outputs may be left off).
  static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID]
}

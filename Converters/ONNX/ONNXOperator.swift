import MLCCore
import MLCGraph

/// How an ONNX operator becomes operations of the graph, where that takes more than a row of `ONNXRule+Rows.swift`. One
/// conforming type per operator (or per family of truly identical ones), one file each under `Operators/`, one row each
/// in `ONNXOperatorTable.types`.
package protocol ONNXOperator: Sendable {
  /// ONNX operator types, as `NodeProto.op_type` spells them.
  static var types: [String] { get }
  /// `""` is the standard domain.
  static var domain: String { get }
  /// The first operator-set version whose meaning this reads; older models are refused with this number.
  static var sinceOpset: Int { get }
  /// Appends what `node` means and gives one value per output of the node (trailing optional outputs may be left off).
  static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID]
}

extension ONNXOperator {
  package static var domain: String { "" }
  package static var sinceOpset: Int { 6 }
}

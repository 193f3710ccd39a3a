import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Trilu` → `trilu`.
package enum ONNXTrilu: ONNXOperator {
  package static let types = ["Trilu"]
  package static var sinceOpset: Int { 14 }
  package static var operation: String? { "trilu" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    [try context.emit(Trilu(upper: try node.flag("upper", default: true)), try context.required(0), context.input(1))]
  }
}

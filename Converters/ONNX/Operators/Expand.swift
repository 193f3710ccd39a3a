import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Expand` → `broadcast_to`.
package enum ONNXExpand: ONNXOperator {
  package static let types = ["Expand"]
  package static var sinceOpset: Int { 8 }
  package static var operation: String? { "broadcast_to" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    [try context.emit(BroadcastTo(), try context.required(0), try context.required(1))]
  }
}

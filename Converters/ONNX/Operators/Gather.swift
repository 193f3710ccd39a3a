import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Gather` → `gather`.
package enum ONNXGather: ONNXOperator {
  package static let types = ["Gather"]
  package static var operation: String? { "gather" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = Gather(axis: try node.int("axis", default: 0))
    return [try context.emit(op, try context.required(0), try context.required(1))]
  }
}

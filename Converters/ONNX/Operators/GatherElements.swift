import MLCCore
import MLCGraph
import MLCOps

/// ONNX `GatherElements` → `gather_along_axis`.
package enum ONNXGatherElements: ONNXOperator {
  package static let types = ["GatherElements"]
  package static var sinceOpset: Int { 11 }
  package static var operation: String? { "gather_along_axis" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = GatherAlongAxis(axis: try node.int("axis", default: 0))
    return [try context.emit(op, try context.required(0), try context.required(1))]
  }
}

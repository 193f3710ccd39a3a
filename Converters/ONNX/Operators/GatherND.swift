import MLCCore
import MLCGraph
import MLCOps

/// ONNX `GatherND` → `gather_nd`.
package enum ONNXGatherND: ONNXOperator {
  package static let types = ["GatherND"]
  package static var sinceOpset: Int { 11 }
  package static var operation: String? { "gather_nd" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var op = GatherNd()
    op.batchDims = try node.int("batch_dims", default: 0)
    return [try context.emit(op, try context.required(0), try context.required(1))]
  }
}

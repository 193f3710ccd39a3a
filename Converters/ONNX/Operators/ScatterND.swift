import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ScatterND` → `scatter_nd`.
package enum ONNXScatterND: ONNXOperator {
  package static let types = ["ScatterND"]
  package static var sinceOpset: Int { 11 }
  package static var operation: String? { "scatter_nd" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = ScatterNd(mode: try node.scatterMode())
    return [try context.emit(op, try context.required(0), try context.required(1), try context.required(2))]
  }
}

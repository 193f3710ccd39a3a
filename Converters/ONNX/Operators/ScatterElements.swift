import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ScatterElements`, and `Scatter` before version 11 → `scatter_along_axis`.
package enum ONNXScatterElements: ONNXOperator {
  package static let types = ["ScatterElements", "Scatter"]
  package static var sinceOpset: Int { 9 }
  package static var operation: String? { "scatter_along_axis" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = ScatterAlongAxis(axis: try node.int("axis", default: 0), mode: try node.scatterMode())
    return [try context.emit(op, try context.required(0), try context.required(1), try context.required(2))]
  }
}

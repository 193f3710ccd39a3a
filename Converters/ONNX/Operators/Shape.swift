import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Shape` → `shape`, of a part of the axes from version 15.
package enum ONNXShape: ONNXOperator {
  package static let types = ["Shape"]
  package static var operation: String? { "shape" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = Shape(start: try node.int("start", default: 0), end: try node.int("end"), dtype: .int64)
    return [try context.emit(op, try context.required(0))]
  }
}

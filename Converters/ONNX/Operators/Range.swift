import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Range` → `range_1d`.
package enum ONNXRange: ONNXOperator {
  package static let types = ["Range"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (start, limit, delta) = (try context.required(0), try context.required(1), try context.required(2))
    return [try context.emit(Range1D(), limit, start, delta)]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Size` → the product of `shape`.
package enum ONNXSize: ONNXOperator {
  package static let types = ["Size"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let shape = try context.emit(Shape(dtype: .int64), try context.required(0))
    return [try context.emit(ReduceProd(axes: [0]), shape)]
  }
}

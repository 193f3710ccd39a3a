import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ConstantOfShape` → `fill`, with 0 where no value is given.
package enum ONNXConstantOfShape: ONNXOperator {
  package static let types = ["ConstantOfShape"]
  package static var sinceOpset: Int { 9 }
  package static var operation: String? { "fill" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let value = try node.tensor("value") ?? Tensor(.float32, [1], [0.0])
    guard value.count == 1 else { throw Diagnostic("onnx.constant-of-shape", "'value' has \(value.count) elements") }
    return [try context.emit(Fill(), try context.required(0), context.constant(value.reshaped([]), "value"))]
  }
}

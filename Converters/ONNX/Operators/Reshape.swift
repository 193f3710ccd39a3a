import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Reshape` → `reshape`. Before operator set 5 the shape is an attribute; `allowzero` came with 14.
package enum ONNXReshape: ONNXOperator {
  package static let types = ["Reshape"]
  package static var operation: String? { "reshape" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = Reshape(allowZero: try node.flag("allowzero"))
    let x = try context.required(0)
    if context.opset < 5, let shape = try node.ints("shape") {
      return [try context.emit(op, x, context.constant(ints: shape, "shape"))]
    }
    return [try context.emit(op, x, try context.required(1))]
  }
}

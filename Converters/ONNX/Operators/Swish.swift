import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Swish`, `x · sigmoid(alpha·x)`, → `silu`, or `mul` and `sigmoid`; `SwiGLU` is that times a second input.
package enum ONNXSwish: ONNXOperator {
  package static let types = ["Swish", "SwiGLU"]
  package static var sinceOpset: Int { 24 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let alpha = Double(try node.float("alpha", default: 1))
    var y: ValueID
    if alpha == 1 {
      y = try context.emit(Silu(), x)
    } else {
      y = try context.emit(Mul(), x, try context.emit(Sigmoid(), try context.scaled(x, by: alpha)))
    }
    if node.opType == "SwiGLU" { y = try context.emit(Mul(), y, try context.required(1)) }
    return [y]
  }
}

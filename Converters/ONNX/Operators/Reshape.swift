import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Reshape` → `reshape`.
package enum ONNXReshape: ONNXOperator {
  package static let types = ["Reshape"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = Reshape(allowZero: try node.flag("allowzero"))
    return [try context.emit(op, try context.required(0), try context.required(1))]
  }
}

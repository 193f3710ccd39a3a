import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `QuickGelu`, `x · sigmoid(alpha · x)`.
package enum ONNXQuickGelu: ONNXMicrosoftOperator {
  package static let types = ["QuickGelu"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let alpha = Double(try node.float("alpha", default: 1.702))
    let scaled = try context.emit(Mul(), x, try context.constant(alpha, context.fact(x).dtype, "alpha"))
    return [try context.emit(Mul(), x, try context.emit(Sigmoid(), scaled))]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `Gelu`, `BiasGelu` and `FastGelu` → `gelu` of the sum of their inputs, one or two; `FastGelu` by the
/// formula with tanh.
package enum ONNXFusedGelu: ONNXMicrosoftOperator {
  package static let types = ["Gelu", "BiasGelu", "FastGelu"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var x = try context.required(0)
    if node.opType != "Gelu", let bias = context.input(1) { x = try context.emit(Add(), x, bias) }
    return [try context.emit(Gelu(mode: node.opType == "FastGelu" ? "TANH_APPROXIMATION" : "EXACT"), x)]
  }
}

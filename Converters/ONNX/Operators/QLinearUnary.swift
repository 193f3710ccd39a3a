import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `QLinearSigmoid` and `QLinearLeakyRelu` → `sigmoid` and `leaky_relu` in float32, quantised again.
package enum ONNXQLinearUnary: ONNXMicrosoftOperator {
  package static let types = ["QLinearSigmoid", "QLinearLeakyRelu"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let alpha = Double(try node.float("alpha", default: 0.01))
    let op: any Operator = node.opType == "QLinearSigmoid" ? Sigmoid() : LeakyRelu(alpha: alpha)
    return [try context.quantizedResult(try context.emit(op, try context.dequantizedInput(0)), scale: 3)]
  }
}

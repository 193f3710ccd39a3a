import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `QLinearAdd` and `QLinearMul` → `add` and `mul` of both operands in float32, quantised again.
package enum ONNXQLinearBinary: ONNXMicrosoftOperator {
  package static let types = ["QLinearAdd", "QLinearMul"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op: any Operator = node.opType == "QLinearAdd" ? Add() : Mul()
    let y = try context.emit(op, try context.dequantizedInput(0), try context.dequantizedInput(3))
    return [try context.quantizedResult(y, scale: 6)]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `QLinearWhere` → `select` between both tensors in float32, quantised again.
package enum ONNXQLinearWhere: ONNXMicrosoftOperator {
  package static let types = ["QLinearWhere"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (a, b) = (try context.dequantizedInput(1), try context.dequantizedInput(4))
    let z = try context.emit(Select(), try context.required(0), a, b)
    return [try context.quantizedResult(z, scale: 7, as: context.fact(try context.required(1)).dtype)]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `QLinearSoftmax` → `softmax` in float32, quantised again. The attribute `opset` says which `Softmax`
/// of ONNX it is: before 13 the axes from `axis` on count as one.
package enum ONNXQLinearSoftmax: ONNXMicrosoftOperator {
  package static let types = ["QLinearSoftmax"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let old = try node.int("opset", default: 13) < 13
    let y = try ONNXSoftmax.softmax(
      try context.dequantizedInput(0),
      axis: try node.int("axis", default: -1),
      joinsAxes: old,
      isLog: false,
      in: &context
    )
    return [try context.quantizedResult(y, scale: 3)]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `DynamicQuantizeMatMul`: A quantised as `DynamicQuantizeLinear` does it, times the quantised B,
/// in float32.
package enum ONNXDynamicQuantizeMatMul: ONNXMicrosoftOperator {
  package static let types = ["DynamicQuantizeMatMul"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (a, b) = (try context.required(0), try context.required(1))
    let left = try ONNXDynamicQuantizeLinear.measured(a, in: &context)
    let bytes = try context.quantized(a, left, to: .uint8)
    let right = try context.quantization(scale: 2, zeroPoint: 3, of: b, axis: -1)
    return [try ONNXMatMulIntegerToFloat.scaled(bytes, left, b, right, bias: context.input(4), in: &context)]
  }
}

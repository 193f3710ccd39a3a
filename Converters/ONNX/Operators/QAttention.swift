import MLCCore
import MLCGraph

/// onnxruntime's `QAttention`: its `Attention`, whose product by the weights is one of integers.
package enum ONNXQAttention: ONNXMicrosoftOperator {
  package static let types = ["QAttention"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, weight) = (try context.required(0), try context.required(1))
    let left = try context.quantization(scale: 3, zeroPoint: 6, of: x, axis: -2)
    let right = try context.quantization(scale: 4, zeroPoint: 7, of: weight, axis: -1)
    let bias = context.input(2)
    let projected = try ONNXMatMulIntegerToFloat.scaled(x, left, weight, right, bias: bias, in: &context)
    let (padding, past) = (context.input(5), context.input(8))
    return try ONNXMicrosoftAttention.attended(
      node,
      projected,
      padding: padding,
      past: past,
      bias: nil,
      in: &context
    )
  }
}

import MLCCore
import MLCGraph

/// onnxruntime's `DequantizeLinear`: ONNX', before that had 16 bits and blocks.
package enum ONNXMicrosoftDequantizeLinear: ONNXMicrosoftOperator {
  package static let types = ["DequantizeLinear"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    try ONNXDequantizeLinear.convert(node, in: &context)
  }
}

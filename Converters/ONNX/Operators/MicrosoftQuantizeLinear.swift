import MLCCore
import MLCGraph

/// onnxruntime's `QuantizeLinear`: ONNX', before that had 16 bits and blocks.
package enum ONNXMicrosoftQuantizeLinear: ONNXMicrosoftOperator {
  package static let types = ["QuantizeLinear"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    try ONNXQuantizeLinear.convert(node, in: &context)
  }
}

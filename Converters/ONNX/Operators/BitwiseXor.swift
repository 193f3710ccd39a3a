import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BitwiseXor` → `bitwise_xor`.
package enum ONNXBitwiseXor: ONNXElementwise {
  package static let types = ["BitwiseXor"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { BitwiseXor() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BitwiseOr` → `bitwise_or`.
package enum ONNXBitwiseOr: ONNXElementwise {
  package static let types = ["BitwiseOr"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { BitwiseOr() }
}

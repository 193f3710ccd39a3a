import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BitwiseNot` → `bitwise_not`.
package enum ONNXBitwiseNot: ONNXElementwise {
  package static let types = ["BitwiseNot"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { BitwiseNot() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BitwiseAnd` → `bitwise_and`.
package enum ONNXBitwiseAnd: ONNXElementwise {
  package static let types = ["BitwiseAnd"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { BitwiseAnd() }
}

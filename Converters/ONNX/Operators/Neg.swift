import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Neg` → `neg`.
package enum ONNXNeg: ONNXElementwise {
  package static let types = ["Neg"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Neg() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Exp` → `exp`.
package enum ONNXExp: ONNXElementwise {
  package static let types = ["Exp"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Exp() }
}

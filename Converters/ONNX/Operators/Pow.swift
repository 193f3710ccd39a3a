import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Pow` → `pow`.
package enum ONNXPow: ONNXElementwise {
  package static let types = ["Pow"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Pow() }
}

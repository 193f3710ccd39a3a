import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Reciprocal` → `inverse`.
package enum ONNXReciprocal: ONNXElementwise {
  package static let types = ["Reciprocal"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Inverse() }
}

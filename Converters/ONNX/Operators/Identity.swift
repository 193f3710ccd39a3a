import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Identity` → `identity`.
package enum ONNXIdentity: ONNXElementwise {
  package static let types = ["Identity"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Identity() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Sign` → `sign`.
package enum ONNXSign: ONNXElementwise {
  package static let types = ["Sign"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Sign() }
}

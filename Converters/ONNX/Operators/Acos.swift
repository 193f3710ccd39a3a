import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Acos` → `acos`.
package enum ONNXAcos: ONNXElementwise {
  package static let types = ["Acos"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Acos() }
}

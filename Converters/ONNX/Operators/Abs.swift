import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Abs` → `abs`.
package enum ONNXAbs: ONNXElementwise {
  package static let types = ["Abs"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Abs() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Sqrt` → `sqrt`.
package enum ONNXSqrt: ONNXElementwise {
  package static let types = ["Sqrt"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Sqrt() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Erf` → `erf`.
package enum ONNXErf: ONNXElementwise {
  package static let types = ["Erf"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Erf() }
}

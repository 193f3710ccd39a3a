import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Softplus` → `softplus`.
package enum ONNXSoftplus: ONNXElementwise {
  package static let types = ["Softplus"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Softplus() }
}

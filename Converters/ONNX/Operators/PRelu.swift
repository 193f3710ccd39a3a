import MLCCore
import MLCGraph
import MLCOps

/// ONNX `PRelu` → `prelu`.
package enum ONNXPRelu: ONNXElementwise {
  package static let types = ["PRelu"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Prelu() }
}

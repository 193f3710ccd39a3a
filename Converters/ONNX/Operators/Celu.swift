import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Celu` → `celu`.
package enum ONNXCelu: ONNXElementwise {
  package static let types = ["Celu"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    Celu(alpha: Double(try node.float("alpha", default: 1)))
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Elu` → `elu`.
package enum ONNXElu: ONNXElementwise {
  package static let types = ["Elu"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    Elu(alpha: Double(try node.float("alpha", default: 1)))
  }
}

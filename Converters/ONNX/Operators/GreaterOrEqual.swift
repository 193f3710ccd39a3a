import MLCCore
import MLCGraph
import MLCOps

/// ONNX `GreaterOrEqual` → `greater_equal`.
package enum ONNXGreaterOrEqual: ONNXElementwise {
  package static let types = ["GreaterOrEqual"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { GreaterEqual() }
}

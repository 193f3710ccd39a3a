import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LessOrEqual` → `less_equal`.
package enum ONNXLessOrEqual: ONNXElementwise {
  package static let types = ["LessOrEqual"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { LessEqual() }
}

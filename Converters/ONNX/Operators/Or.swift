import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Or` → `logical_or`.
package enum ONNXOr: ONNXElementwise {
  package static let types = ["Or"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { LogicalOr() }
}

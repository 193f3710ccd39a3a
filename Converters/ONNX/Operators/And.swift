import MLCCore
import MLCGraph
import MLCOps

/// ONNX `And` → `logical_and`.
package enum ONNXAnd: ONNXElementwise {
  package static let types = ["And"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { LogicalAnd() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `And` → `logical_and`.
package enum ONNXAnd: ONNXElementwise {
  package static let types = ["And"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { LogicalAnd() }
}

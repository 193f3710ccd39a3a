import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Or` → `logical_or`.
package enum ONNXOr: ONNXElementwise {
  package static let types = ["Or"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { LogicalOr() }
}

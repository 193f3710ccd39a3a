import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Not` → `logical_not`.
package enum ONNXNot: ONNXElementwise {
  package static let types = ["Not"]
  package static var sinceOpset: Int { 1 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { LogicalNot() }
}

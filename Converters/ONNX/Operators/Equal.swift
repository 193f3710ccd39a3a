import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Equal` → `equal`.
package enum ONNXEqual: ONNXElementwise {
  package static let types = ["Equal"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Equal() }
}

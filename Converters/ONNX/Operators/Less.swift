import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Less` → `less`.
package enum ONNXLess: ONNXElementwise {
  package static let types = ["Less"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Less() }
}

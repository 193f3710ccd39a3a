import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Pow` → `pow`.
package enum ONNXPow: ONNXElementwise {
  package static let types = ["Pow"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Pow() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Mul` → `mul`.
package enum ONNXMul: ONNXElementwise {
  package static let types = ["Mul"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Mul() }
}

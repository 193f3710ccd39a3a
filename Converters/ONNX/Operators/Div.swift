import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Div` → `real_div`.
package enum ONNXDiv: ONNXElementwise {
  package static let types = ["Div"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { RealDiv() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Sub` → `sub`.
package enum ONNXSub: ONNXElementwise {
  package static let types = ["Sub"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Sub() }
}

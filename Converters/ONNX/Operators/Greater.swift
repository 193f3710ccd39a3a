import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Greater` → `greater`.
package enum ONNXGreater: ONNXElementwise {
  package static let types = ["Greater"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Greater() }
}

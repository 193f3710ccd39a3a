import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Xor` → `logical_xor`.
package enum ONNXXor: ONNXElementwise {
  package static let types = ["Xor"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { LogicalXor() }
}

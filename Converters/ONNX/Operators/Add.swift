import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Add` → `add`.
package enum ONNXAdd: ONNXElementwise {
  package static let types = ["Add"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Add() }
}

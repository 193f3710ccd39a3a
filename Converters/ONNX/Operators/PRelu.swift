import MLCCore
import MLCGraph
import MLCOps

/// ONNX `PRelu` → `prelu`.
package enum ONNXPRelu: ONNXElementwise {
  package static let types = ["PRelu"]
  /// Version 6 broadcasts by its attribute `axis`.
  package static var sinceOpset: Int { 7 }
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Prelu() }
}

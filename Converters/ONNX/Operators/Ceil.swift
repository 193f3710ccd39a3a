import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Ceil` → `ceil`.
package enum ONNXCeil: ONNXElementwise {
  package static let types = ["Ceil"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Ceil() }
}

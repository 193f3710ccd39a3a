import MLCCore
import MLCGraph
import MLCOps

/// ONNX `IsNaN` → `is_nan`.
package enum ONNXIsNaN: ONNXElementwise {
  package static let types = ["IsNaN"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { IsNan() }
}

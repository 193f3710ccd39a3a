import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Div` → `real_div`.
package enum ONNXDiv: ONNXElementwise {
  package static let types = ["Div"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { RealDiv() }
}

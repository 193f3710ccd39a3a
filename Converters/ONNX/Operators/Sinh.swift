import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Sinh` → `sinh`.
package enum ONNXSinh: ONNXElementwise {
  package static let types = ["Sinh"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Sinh() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Atanh` → `atanh`.
package enum ONNXAtanh: ONNXElementwise {
  package static let types = ["Atanh"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Atanh() }
}

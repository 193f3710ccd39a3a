import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Tanh` → `tanh`.
package enum ONNXTanh: ONNXElementwise {
  package static let types = ["Tanh"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Tanh() }
}

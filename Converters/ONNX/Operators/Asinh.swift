import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Asinh` → `asinh`.
package enum ONNXAsinh: ONNXElementwise {
  package static let types = ["Asinh"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Asinh() }
}

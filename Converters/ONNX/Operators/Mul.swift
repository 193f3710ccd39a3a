import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Mul` → `mul`.
package enum ONNXMul: ONNXElementwise {
  package static let types = ["Mul"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Mul() }
}

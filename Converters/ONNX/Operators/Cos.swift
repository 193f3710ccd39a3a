import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Cos` → `cos`.
package enum ONNXCos: ONNXElementwise {
  package static let types = ["Cos"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Cos() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Atan` → `atan`.
package enum ONNXAtan: ONNXElementwise {
  package static let types = ["Atan"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Atan() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Mish` → `mish`.
package enum ONNXMish: ONNXElementwise {
  package static let types = ["Mish"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Mish() }
}

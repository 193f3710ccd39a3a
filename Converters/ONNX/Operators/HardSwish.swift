import MLCCore
import MLCGraph
import MLCOps

/// ONNX `HardSwish` → `hard_swish`.
package enum ONNXHardSwish: ONNXElementwise {
  package static let types = ["HardSwish"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { HardSwish() }
}

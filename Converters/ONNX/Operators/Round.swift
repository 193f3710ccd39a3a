import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Round` → `round`.
package enum ONNXRound: ONNXElementwise {
  package static let types = ["Round"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Round() }
}

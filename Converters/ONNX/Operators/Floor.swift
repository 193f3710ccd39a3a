import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Floor` → `floor`.
package enum ONNXFloor: ONNXElementwise {
  package static let types = ["Floor"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Floor() }
}

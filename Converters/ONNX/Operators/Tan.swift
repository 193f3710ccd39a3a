import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Tan` → `tan`.
package enum ONNXTan: ONNXElementwise {
  package static let types = ["Tan"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Tan() }
}

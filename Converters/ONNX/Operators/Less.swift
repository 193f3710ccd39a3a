import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Less` → `less`.
package enum ONNXLess: ONNXElementwise {
  package static let types = ["Less"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Less() }
}

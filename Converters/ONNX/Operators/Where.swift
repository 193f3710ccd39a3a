import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Where` → `select`.
package enum ONNXWhere: ONNXElementwise {
  package static let types = ["Where"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Select() }
}

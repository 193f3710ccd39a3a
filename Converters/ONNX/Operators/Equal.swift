import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Equal` → `equal`.
package enum ONNXEqual: ONNXElementwise {
  package static let types = ["Equal"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Equal() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Greater` → `greater`.
package enum ONNXGreater: ONNXElementwise {
  package static let types = ["Greater"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Greater() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Xor` → `logical_xor`.
package enum ONNXXor: ONNXElementwise {
  package static let types = ["Xor"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { LogicalXor() }
}

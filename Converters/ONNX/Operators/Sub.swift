import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Sub` → `sub`.
package enum ONNXSub: ONNXElementwise {
  package static let types = ["Sub"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Sub() }
}

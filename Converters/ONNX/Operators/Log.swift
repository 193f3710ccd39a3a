import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Log` → `log`.
package enum ONNXLog: ONNXElementwise {
  package static let types = ["Log"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Log() }
}

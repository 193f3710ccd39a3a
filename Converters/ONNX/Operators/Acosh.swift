import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Acosh` → `acosh`.
package enum ONNXAcosh: ONNXElementwise {
  package static let types = ["Acosh"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Acosh() }
}

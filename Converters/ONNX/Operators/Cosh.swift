import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Cosh` → `cosh`.
package enum ONNXCosh: ONNXElementwise {
  package static let types = ["Cosh"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Cosh() }
}

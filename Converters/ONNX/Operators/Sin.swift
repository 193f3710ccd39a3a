import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Sin` → `sin`.
package enum ONNXSin: ONNXElementwise {
  package static let types = ["Sin"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Sin() }
}

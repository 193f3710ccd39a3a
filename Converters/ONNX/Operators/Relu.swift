import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Relu` → `relu`.
package enum ONNXRelu: ONNXElementwise {
  package static let types = ["Relu"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Relu() }
}

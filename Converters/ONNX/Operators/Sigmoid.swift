import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Sigmoid` → `sigmoid`.
package enum ONNXSigmoid: ONNXElementwise {
  package static let types = ["Sigmoid"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Sigmoid() }
}

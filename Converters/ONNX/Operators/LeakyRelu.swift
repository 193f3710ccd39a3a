import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LeakyRelu` → `leaky_relu`.
package enum ONNXLeakyRelu: ONNXElementwise {
  package static let types = ["LeakyRelu"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    LeakyRelu(alpha: Double(try node.float("alpha", default: 0.01)))
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Selu` → `selu`.
package enum ONNXSelu: ONNXElementwise {
  package static let types = ["Selu"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    Selu(
      alpha: Double(try node.float("alpha", default: 1.6732632)),
      gamma: Double(try node.float("gamma", default: 1.0507010))
    )
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `HardSigmoid` → `sigmoid_hard`.
package enum ONNXHardSigmoid: ONNXElementwise {
  package static let types = ["HardSigmoid"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    SigmoidHard(
      alpha: Double(try node.float("alpha", default: 0.2)),
      beta: Double(try node.float("beta", default: 0.5))
    )
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ThresholdedRelu` → `thresholded_relu`.
package enum ONNXThresholdedRelu: ONNXElementwise {
  package static let types = ["ThresholdedRelu"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    ThresholdedRelu(alpha: Double(try node.float("alpha", default: 1)))
  }
}

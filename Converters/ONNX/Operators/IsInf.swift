import MLCCore
import MLCGraph
import MLCOps

/// ONNX `IsInf` → `is_inf`.
package enum ONNXIsInf: ONNXElementwise {
  package static let types = ["IsInf"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    var op = IsInf()
    op.positive = try node.flag("detect_positive", default: true)
    op.negative = try node.flag("detect_negative", default: true)
    return op
  }
}

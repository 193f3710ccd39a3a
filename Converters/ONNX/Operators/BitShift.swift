import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BitShift` → `left_shift` or `right_shift`.
package enum ONNXBitShift: ONNXElementwise {
  package static let types = ["BitShift"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    switch try node.string("direction") {
    case "LEFT": return LeftShift()
    case "RIGHT": return RightShift()
    case let other: throw Diagnostic("onnx.bit-shift", "direction is '\(other ?? "")', expected LEFT or RIGHT")
    }
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BitShift` → `left_shift` or `right_shift`.
package enum ONNXBitShift: ONNXOperator {
  package static let types = ["BitShift"]
  package static var sinceOpset: Int { 11 }
  package static var operation: String? { "left_shift, right_shift" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    switch try node.string("direction") {
    case "LEFT": return try context.elementwise(LeftShift())
    case "RIGHT": return try context.elementwise(RightShift())
    case let other: throw Diagnostic("onnx.bit-shift", "direction is '\(other ?? "")', expected LEFT or RIGHT")
    }
  }
}

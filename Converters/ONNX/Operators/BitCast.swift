import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BitCast` → `bit_cast`.
package enum ONNXBitCast: ONNXOperator {
  package static let types = ["BitCast"]
  package static var sinceOpset: Int { 26 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let number = try node.int("to") else { throw Diagnostic("onnx.cast", "attribute 'to' is missing") }
    return [try context.emit(BitCast(try ONNXDataType.dtype(number)), try context.required(0))]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Cast` → `cast`.
package enum ONNXCast: ONNXOperator {
  package static let types = ["Cast"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let number = try node.int("to") else { throw Diagnostic("onnx.cast", "attribute 'to' is missing") }
    return [try context.emit(Cast(try ONNXDataType.dtype(number)), try context.required(0))]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Cast` → `cast`; to floats of eight bits with what `saturate` and `round_mode` say.
package enum ONNXCast: ONNXOperator {
  package static let types = ["Cast"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let number = try node.int("to") else { throw Diagnostic("onnx.cast", "attribute 'to' is missing") }
    let dtype = try ONNXDataType.dtype(number)
    return [try context.cast(try context.required(0), to: dtype, try ONNXSmallFloatRounding(node))]
  }
}

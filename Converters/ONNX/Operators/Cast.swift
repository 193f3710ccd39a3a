import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Cast` → `cast`; to floats of eight bits with what `saturate` and `round_mode` say. Before operator set 6 the
/// type is named: `FLOAT`, `INT64`, ….
package enum ONNXCast: ONNXOperator {
  package static let types = ["Cast"]
  package static var operation: String? { "cast" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    if context.opset < 6, let name = try node.string("to") {
      guard let dtype = DType(onnxName: name) else {
        throw Diagnostic("onnx.dtype", "mlc has no type '\(name)'", kind: .unsupported)
      }
      return [try context.emit(Cast(dtype), try context.required(0))]
    }
    guard let number = try node.int("to") else { throw Diagnostic("onnx.cast", "attribute 'to' is missing") }
    let dtype = try ONNXDataType.dtype(number)
    return [try context.cast(try context.required(0), to: dtype, try ONNXSmallFloatRounding(node))]
  }
}

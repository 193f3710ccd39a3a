import MLCCore
import MLCGraph
import MLCOps

/// ONNX `EyeLike` → `eye_like`, of the type of its input unless `dtype` says another.
package enum ONNXEyeLike: ONNXOperator {
  package static let types = ["EyeLike"]
  package static var sinceOpset: Int { 9 }
  package static var operation: String? { "eye_like" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    var dtype = context.fact(x).dtype
    if let code = try node.int("dtype") { dtype = try ONNXDataType.dtype(code) }
    return [try context.emit(EyeLike(dtype, k: try node.int("k", default: 0)), x)]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `CastLike` → what `Cast` to the element type of the second input is.
package enum ONNXCastLike: ONNXOperator {
  package static let types = ["CastLike"]
  package static var sinceOpset: Int { 15 }
  package static var operation: String? { "cast" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let dtype = context.fact(try context.required(1)).dtype
    return [try context.cast(try context.required(0), to: dtype, try ONNXSmallFloatRounding(node))]
  }
}

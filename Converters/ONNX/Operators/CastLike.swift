import MLCCore
import MLCGraph
import MLCOps

/// ONNX `CastLike` → `cast` to the element type of the second input.
package enum ONNXCastLike: ONNXOperator {
  package static let types = ["CastLike"]
  package static var sinceOpset: Int { 15 }
  package static var operation: String? { "cast" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    [try context.emit(Cast(context.fact(try context.required(1)).dtype), try context.required(0))]
  }
}

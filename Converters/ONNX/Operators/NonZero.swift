import MLCCore
import MLCGraph
import MLCOps

/// ONNX `NonZero` → `non_zero`, transposed.
package enum ONNXNonZero: ONNXOperator {
  package static let types = ["NonZero"]
  package static var sinceOpset: Int { 9 }
  package static var operation: String? { "non_zero" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    [try context.emit(NonZero(transposed: true), try context.required(0))]
  }
}

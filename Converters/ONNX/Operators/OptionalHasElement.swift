import MLCCore
import MLCGraph

/// ONNX `OptionalHasElement`: whether an optional holds something; a tensor or a sequence is one that does, and an
/// input that is left out one that does not.
package enum ONNXOptionalHasElement: ONNXValueOperator {
  package static let types = ["OptionalHasElement"]
  package static let sinceOpset = 15

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let value = node.input(0) == nil ? .nothing : try context.value(0)
    switch value {
    case .tensor, .sequence, .map: return [.tensor(try context.truth())]
    case .nothing: return [.tensor(context.constant(.scalar(.bool, 0), "false"))]
    case .optional(let present, _): return [.tensor(present)]
    }
  }
}

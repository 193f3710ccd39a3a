import MLCCore
import MLCGraph

/// ONNX `OptionalGetElement`: what an optional holds. Throws `onnx.optional` for one that is known to hold nothing; of
/// others it is checked as the model runs.
package enum ONNXOptionalGetElement: ONNXValueOperator {
  package static let types = ["OptionalGetElement"]
  package static let sinceOpset = 15

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    switch try context.value(0) {
    case .nothing: throw Diagnostic("onnx.optional", "the optional holds nothing")
    case .optional(let present, let value): return [try context.ensured(value, present)]
    case let value: return [value]
    }
  }
}

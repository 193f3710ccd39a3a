import MLCCore
import MLCGraph

/// ONNX `SequenceErase`: a sequence without the element at a place, or without the last.
package enum ONNXSequenceErase: ONNXValueOperator {
  package static let types = ["SequenceErase"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let sequence = try context.sequence(0)
    return [.sequence(try context.erasing(at: try context.place(1), from: sequence))]
  }
}

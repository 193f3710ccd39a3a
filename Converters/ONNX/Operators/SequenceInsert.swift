import MLCCore
import MLCGraph

/// ONNX `SequenceInsert`: a tensor in front of the element at a place, or behind the last.
package enum ONNXSequenceInsert: ONNXValueOperator {
  package static let types = ["SequenceInsert"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let (sequence, value) = (try context.sequence(0), try context.required(1))
    return [.sequence(try context.inserting(value, at: try context.place(2), into: sequence))]
  }
}

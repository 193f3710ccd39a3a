import MLCCore
import MLCGraph

/// ONNX `ConcatFromSequence`: the elements of a sequence as one tensor, along an axis that they have, or a new one.
package enum ONNXConcatFromSequence: ONNXValueOperator {
  package static let types = ["ConcatFromSequence"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let sequence = try context.sequence(0)
    guard let axis = try node.int("axis") else { throw Diagnostic("onnx.sequence", "'axis' is required") }
    let isNew = try node.flag("new_axis")
    return [.tensor(try isNew ? context.stacked(sequence, axis: axis) : context.joined(sequence, axis: axis))]
  }
}

import MLCCore
import MLCGraph

/// ONNX `SequenceAt`: the element at a place, which counts from the end where it is negative.
package enum ONNXSequenceAt: ONNXValueOperator {
  package static let types = ["SequenceAt"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let sequence = try context.sequence(0)
    guard let place = try context.place(1) else { throw Diagnostic("onnx.missing-input", "the place is left out") }
    return [.tensor(try context.element(at: place, of: sequence))]
  }
}

import MLCCore
import MLCGraph

/// ONNX `SequenceLength`: how many elements a sequence has.
package enum ONNXSequenceLength: ONNXValueOperator {
  package static let types = ["SequenceLength"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    [.tensor(try context.count(of: try context.sequence(0)))]
  }
}

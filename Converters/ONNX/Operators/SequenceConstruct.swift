import MLCCore
import MLCGraph

/// ONNX `SequenceConstruct`: a sequence of the inputs, which are of one element type.
package enum ONNXSequenceConstruct: ONNXValueOperator {
  package static let types = ["SequenceConstruct"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    var values: [ValueID] = []
    for index in node.inputs.indices { values.append(try context.required(index)) }
    guard let dtype = values.first.map({ context.fact($0).dtype }) else {
      throw Diagnostic("onnx.missing-input", "input 0 is required")
    }
    if let other = values.map({ context.fact($0).type }).first(where: { $0.dtype != dtype }) {
      throw Diagnostic("onnx.sequence", "\(other) does not fit a sequence of \(dtype.rawValue)")
    }
    return [.sequence(.list(values, dtype))]
  }
}

import MLCCore
import MLCGraph

extension ONNXContext {
  /// The node's inputs, of any number, folded from the left by `op`; an input alone is the result.
  mutating func folded(_ op: any Operator) throws(Diagnostic) -> ValueID {
    var result = try required(0)
    for index in node.inputs.indices.dropFirst() { result = try emit(op, result, try required(index)) }
    return result
  }
}

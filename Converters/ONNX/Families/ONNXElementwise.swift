import MLCCore
import MLCGraph

extension ONNXContext {
  /// One operation on the node's inputs, in their order, with one output.
  package mutating func elementwise(_ op: any Operator) throws(Diagnostic) -> [ValueID] {
    var inputs: [[ValueID]] = []
    for index in type(of: op).ports.indices { inputs.append([try required(index)]) }
    return try emit(op, all: inputs)
  }
}

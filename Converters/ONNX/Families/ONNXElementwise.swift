import MLCCore
import MLCGraph
import MLCOps

/// An ONNX operator that is one operation on the node's inputs, in their order, with one output.
package protocol ONNXElementwise: ONNXOperator {
  static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator
}

extension ONNXElementwise {
  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = try op(node)
    let ports = type(of: op).ports
    var inputs: [[ValueID]] = []
    for index in ports.indices { inputs.append([try context.required(index)]) }
    return try context.emit(op, all: inputs)
  }
}

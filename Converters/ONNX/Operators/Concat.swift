import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Concat` → `concat`.
package enum ONNXConcat: ONNXOperator {
  package static let types = ["Concat"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let axis = try node.int("axis") else { throw Diagnostic("onnx.concat", "attribute 'axis' is missing") }
    var values: [ValueID] = []
    for index in node.inputs.indices { values.append(try context.required(index)) }
    return try context.emit(Concat(axis: axis), all: [values])
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Concat` → `concat`. Before operator set 4 `axis` may be left out and is 1 then.
package enum ONNXConcat: ONNXOperator {
  package static let types = ["Concat"]
  package static var operation: String? { "concat" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let axis = try node.int("axis") ?? (context.opset < 4 ? 1 : nil) else {
      throw Diagnostic("onnx.concat", "attribute 'axis' is missing")
    }
    var values: [ValueID] = []
    for index in node.inputs.indices { values.append(try context.required(index)) }
    return try context.emit(Concat(axis: axis), all: [values])
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// An ONNX operator on any number of inputs that folds from the left into a binary one.
package protocol ONNXVariadic: ONNXOperator {
  static var op: any Operator { get }
}

extension ONNXVariadic {
  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    [try folded(node, in: &context)]
  }

  /// The one value; an operation of its own even for a single input.
  package static func folded(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    var result = try context.required(0)
    for index in node.inputs.indices.dropFirst() {
      result = try context.emit(op, result, try context.required(index))
    }
    return result
  }
}

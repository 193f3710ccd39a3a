import MLCCore
import MLCGraph
import MLCOps

/// ONNX `AveragePool` → `avg_pool`.
package enum ONNXAveragePool: ONNXOperator {
  package static let types = ["AveragePool"]
  package static var operation: String? { "avg_pool" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    return [try context.emit(try op(node, context.fact(x)), x)]
  }

  /// The operation that the attributes of a pooling node mean for data of this shape.
  static func op(_ node: ONNXNode, _ x: Fact) throws(Diagnostic) -> AvgPool {
    var op = AvgPool()
    try ONNXPooling.read(node, x, into: &op)
    op.excludePaddingFromAverage = try !node.flag("count_include_pad")
    return op
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `AveragePool` → `avg_pool`.
package enum ONNXAveragePool: ONNXOperator {
  package static let types = ["AveragePool"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    var op = AvgPool()
    try ONNXPooling.read(node, context.fact(x), into: &op)
    op.excludePaddingFromAverage = try !node.flag("count_include_pad")
    return [try context.emit(op, x)]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `GlobalAveragePool` and `GlobalMaxPool` → `reduce_mean` and `reduce_max` over the spatial axes, which stay as
/// ones.
package enum ONNXGlobalPool: ONNXOperator {
  package static let types = ["GlobalAveragePool", "GlobalMaxPool"]
  package static var operation: String? { "reduce_mean, reduce_max" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    guard context.fact(x).rank >= 3 else {
      throw Diagnostic("onnx.global-pool", "\(context.fact(x).type) has no spatial axes")
    }
    let axes = Array(2..<context.fact(x).rank)
    if node.opType == "GlobalMaxPool" {
      var op = ReduceMax()
      (op.axes, op.keepDims) = (axes, true)
      return [try context.emit(op, x)]
    }
    var op = ReduceMean()
    (op.axes, op.keepDims) = (axes, true)
    return [try context.emit(op, x)]
  }
}

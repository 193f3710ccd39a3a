import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `QLinearAveragePool` and `QLinearGlobalAveragePool` → `avg_pool` and `reduce_mean` in float32,
/// quantised again. With `channels_last` the channels are moved forward, and back.
package enum ONNXQLinearPool: ONNXMicrosoftOperator {
  package static let types = ["QLinearAveragePool", "QLinearGlobalAveragePool"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let rank = context.fact(try context.required(0)).rank
    guard rank >= 3 else {
      throw Diagnostic("onnx.global-pool", "\(context.fact(try context.required(0)).type) has no spatial axes")
    }
    var x = try context.dequantizedInput(0)
    let channelsLast = try node.flag("channels_last")
    if channelsLast { x = try context.emit(Transpose([0, rank - 1] + Array(1..<rank - 1)), x) }
    var y = try pooled(node, x, in: &context)
    if channelsLast { y = try context.emit(Transpose([0] + Array(2..<rank) + [1]), y) }
    return [try context.quantizedResult(y, scale: 3)]
  }

  private static func pooled(_ node: ONNXNode, _ x: ValueID, in context: inout ONNXContext) throws(Diagnostic)
    -> ValueID
  {
    if node.opType == "QLinearGlobalAveragePool" {
      return try context.emit(ReduceMean(axes: Array(2..<context.fact(x).rank), keepDims: true), x)
    }
    return try context.emit(try ONNXAveragePool.op(node, context.fact(x)), x)
  }
}

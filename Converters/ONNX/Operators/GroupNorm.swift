import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `GroupNorm`: ONNX' `GroupNormalization` of channels that are the last axis, or the second with
/// `channels_last` 0; then `silu` where `activation` is 1.
package enum ONNXGroupNorm: ONNXMicrosoftOperator {
  package static let types = ["GroupNorm"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var x = try context.required(0)
    let rank = context.fact(x).rank
    let isLast = try node.flag("channels_last", default: true)
    guard let groups = try node.int("groups"), rank >= 3, 0...1 ~= (try node.int("activation", default: 0)) else {
      throw Diagnostic("onnx.group-norm", "'groups' or 'activation' of GroupNorm is none for \(context.fact(x).type)")
    }
    if isLast { x = try context.emit(Transpose([0, rank - 1] + Array(1..<rank - 1)), x) }
    let epsilon = Double(try node.float("epsilon", default: 1e-5))
    let (scale, bias) = (try context.required(1), try context.required(2))
    var y = try ONNXGroupNormalization.normalized(x, groups, epsilon, scale, bias, perGroup: false, in: &context)
    if try node.int("activation", default: 0) == 1 { y = try context.emit(Silu(), y) }
    return [isLast ? try context.emit(Transpose([0] + Array(2..<rank) + [1]), y) : y]
  }
}

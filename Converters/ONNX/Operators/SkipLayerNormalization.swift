import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `SkipLayerNormalization` and `SkipSimplifiedLayerNormalization`: the sum of `input`, `skip` and
/// `bias`, normalised over the last axis; the sum is the fourth output. The simplified one has no `beta` and takes no
/// mean.
package enum ONNXSkipLayerNormalization: ONNXMicrosoftOperator {
  package static let types = ["SkipLayerNormalization", "SkipSimplifiedLayerNormalization"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let isSimple = node.opType == "SkipSimplifiedLayerNormalization"
    var sum = try context.emit(Add(), try context.required(0), try context.required(1), output: 3)
    if let bias = context.input(isSimple ? 3 : 4) { sum = try context.emit(Add(), sum, bias, output: 3) }
    let last = try normalized(axis: -1, rank: context.fact(sum).rank, "layer_norm")
    let epsilon = Double(try node.float("epsilon", default: 1e-12))
    let scale = try context.required(2)
    if isSimple {
      let (y, inverse) = try context.rootMeanSquareNormalized(sum, [last], epsilon, scale: scale)
      // There is no mean: the second output is not given.
      guard node.output(1) == nil else { return [y] }
      return [y, y, inverse, sum]
    }
    let y = try context.emit(LayerNorm(axes: [last], epsilon: epsilon), sum, scale, context.input(3))
    guard node.output(1) != nil || node.output(2) != nil else { return [y, y, y, sum] }
    return [y] + (try ONNXLayerNormalization.moments(sum, [last], epsilon, in: &context)) + [sum]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// `Attention` and `AdditiveAttention` of `query: [batch, T, D]`, `value: [batch, S, F]` and `key: [batch, S, D]`, the
/// value when there is none: `softmax(scores)·value`, and on demand the softmax.
///
/// Scores are `scale·query·keyᵀ`, in the score mode `concat` `weight·Σ tanh(scale·(query + key))`, in the additive
/// layer `Σ scale·tanh(query + key)`. Queries that their mask leaves out give zeros.
package struct KerasAttention: KerasLayer {
  package static let classNames = ["Attention", "AdditiveAttention"]
  package static let masks = KerasMaskRule.uses

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    // The additive layer, which has no score mode, is scaled unless its author says otherwise.
    let isAdditive = config["score_mode"] == nil
    let scale = try config.bool("use_scale", default: isAdditive) ? [KerasWeight("scale")] : []
    return scale + (config["score_mode"] == .string("concat") ? [KerasWeight("concat_score_weight")] : [])
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    var values: [ValueID] = []
    for input in call.inputs { values.append(try context.plain(input)) }
    guard (2...3).contains(values.count), values.allSatisfy({ context.fact($0).rank == 3 }) else {
      throw Diagnostic("keras.inputs", "attention takes two or three tensors of three axes")
    }
    let (query, value, key) = (values[0], values[1], values[values.count - 1])
    var mask = AttentionMask()
    try mask.add(keys: call.inputs[1].mask, in: &context)
    // Keras 2 before 2.10 had the option among the settings.
    let isCausal = try call.config.bool("causal", default: try call.option("use_causal_mask"))
    if isCausal { try mask.addCausal(query, value, in: &context) }
    let scores = try mask.applied(to: try scores(query, key, call, &context), in: &context)
    let weights = try context.emit(Softmax(axis: -1), scores)
    var result = try context.emit(MatMul(), weights, value)
    if let counts = call.inputs[0].mask {
      let rows = try context.emit(ExpandDims([2]), counts)
      result = try context.emit(Select(), rows, result, context.scalar(0, like: result))
    }
    let output = KerasTensor(result, mask: call.inputs[0].mask)
    return try call.option("return_attention_scores") ? [output, KerasTensor(weights)] : [output]
  }

  private static func scores(
    _ query: ValueID,
    _ key: ValueID,
    _ call: KerasCall,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    let dtype = context.fact(query).dtype
    let names = try weights(call.config).map { $0.name }
    func weight(_ name: String) throws(Diagnostic) -> ValueID? {
      guard let index = names.firstIndex(of: name) else { return nil }
      return try context.weight(index, dtype)
    }
    let isAdditive = call.layer.className == "AdditiveAttention"
    if !isAdditive, try call.config.string("score_mode", default: "dot") == "dot" {
      let products = try context.emit(MatMul(transposeY: true), query, key)
      guard let scale = try weight("scale") else { return products }
      return try context.emit(Mul(), products, scale)
    }
    let (rows, columns) = (try context.emit(ExpandDims([2]), query), try context.emit(ExpandDims([1]), key))
    var sums = try context.emit(Add(), rows, columns)
    if !isAdditive, let scale = try weight("scale") { sums = try context.emit(Mul(), sums, scale) }
    var terms = try context.emit(Tanh(), sums)
    if isAdditive, let scale = try weight("scale") { terms = try context.emit(Mul(), terms, scale) }
    let scores = try context.emit(ReduceSum(axes: [3], keepDims: false), terms)
    guard let factor = try weight("concat_score_weight") else { return scores }
    return try context.emit(Mul(), scores, factor)
  }
}

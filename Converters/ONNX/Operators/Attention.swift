import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Attention` → `scaled_dot_product_attention`, or its steps where a step is asked for that it has not: a soft
/// cap, a precision of its own, the scores as a result.
///
/// Queries of more heads than keys are grouped by the key that they share. A row that may attend to no key is 0.
package enum ONNXAttention: ONNXOperator {
  package static let types = ["Attention"]
  package static var sinceOpset: Int { 23 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let query = try heads(0, node.int("q_num_heads"), in: &context)
    var key = try heads(1, node.int("kv_num_heads"), in: &context)
    var value = try heads(2, node.int("kv_num_heads"), in: &context)
    switch (context.input(4), context.input(5)) {
    case (let keys?, let values?):
      (key, value) = (try context.concat([keys, key], axis: 2), try context.concat([values, value], axis: 2))
    case (nil, nil): break
    default: throw Diagnostic("onnx.attention", "past_key and past_value come together")
    }
    let mask = try ONNXAttentionMask(node, query, key, in: &context)
    let groups = try ONNXHeadGroups(context.fact(query), context.fact(key))
    var steps = try ONNXAttentionSteps(node, context.fact(query))
    steps.query = try groups.split(query, in: &context)
    (steps.key, steps.value) = (try groups.widen(key, in: &context), try groups.widen(value, in: &context))
    steps.mask = try mask.map { (mask) throws(Diagnostic) in try groups.mapped(mask, in: &context) }
    let (y, scores) = try steps.run(wantsScores: node.output(3) != nil, in: &context)
    var result = try groups.joined(y, query, in: &context)
    if context.fact(try context.required(0)).rank == 3 { result = try context.joinHeads(result) }
    let all = [result, key, value]
    guard let scores else { return Array(all.prefix(max(1, node.outputs.count))) }
    return all + [try groups.joined(scores, query, in: &context)]
  }

  /// Input `index` as `[batch, heads, length, width]`.
  private static func heads(_ index: Int, _ count: Int?, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let x = try context.required(index)
    return context.fact(x).rank == 4 ? x : try context.splitHeads(x, count)
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `MultiHeadAttention` → `scaled_dot_product_attention` of heads, whose keys and values may come packed
/// with each other or with the queries, or as heads, and behind those of the past.
package enum ONNXMultiHeadAttention: ONNXMicrosoftOperator {
  package static let types = ["MultiHeadAttention"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard context.input(8) == nil, context.input(9) == nil else {
      throw Diagnostic("onnx.attention", "buffers shared with the past are not supported", kind: .unsupported)
    }
    let operands = try heads(node, in: &context)
    let query = operands[0]
    var (key, value) = (operands[1], operands[2])
    let past = context.input(6)
    switch (past, context.input(7)) {
    case (let keys?, let values?):
      (key, value) = (try context.concat([keys, key], axis: 2), try context.concat([values, value], axis: 2))
    case (nil, nil): break
    default: throw Diagnostic("onnx.attention", "past_key and past_value come together")
    }
    var steps = try ONNXAttentionSteps(node, context.fact(query))
    if steps.scale == 0 { steps.scale = nil }
    let (padding, bias) = (context.input(4), context.input(5))
    let scores = try ONNXPaddingMask.scores(node, padding, bias, past: past, query, key, in: &context)
    (steps.query, steps.key, steps.value, steps.mask) = (query, key, value, scores.map(ONNXAttentionMask.init(scores:)))
    let y = try steps.run(wantsScores: false, in: &context).0
    return [try context.joinHeads(y), key, value]
  }

  /// Queries, keys and values as `[batch, heads, length, width]`, with their bias.
  private static func heads(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (query, count) = (try context.required(0), try node.int("num_heads"))
    var parts: [ValueID]
    switch (context.fact(query).rank, context.input(1).map { context.fact($0).rank }) {
    case (5, nil): parts = try unpacked(query, 3, in: &context)
    case (3, 5?): parts = try [context.splitHeads(query, count)] + unpacked(try context.required(1), 2, in: &context)
    case (3, 4?): parts = [try context.splitHeads(query, count), try context.required(1), try context.required(2)]
    case (3, 3?):
      parts = []
      for index in 0..<3 { parts.append(try context.splitHeads(try context.required(index), count)) }
    default: throw Diagnostic("onnx.attention", "queries are \(context.fact(query).type), keys of another rank")
    }
    guard let bias = context.input(3) else { return parts }
    // Keys that come as heads have theirs already.
    let biased = context.input(1).map { context.fact($0).rank } == 4 ? 1 : 3
    var start = 0
    for index in 0..<biased {
      let shape = context.fact(parts[index]).shape
      guard shape.count == 4, let heads = shape[1].constant, let width = shape[3].constant, width < 1 << 32,
        context.fact(bias).rank == 1
      else { throw Diagnostic("onnx.attention", "a bias of \(context.fact(bias).type) for heads of an unknown size") }
      let part = try context.slice(bias, axis: 0, from: start, to: start + heads * width)
      let rows = try context.reshape(part, [Dim(heads), 1, Dim(width)])
      parts[index] = try context.emit(Add(), parts[index], rows)
      start += heads * width
    }
    return parts
  }

  /// `x: [batch, length, heads, count, width]` as `count` times `[batch, heads, length, width]`.
  private static func unpacked(_ x: ValueID, _ count: Int, in context: inout ONNXContext) throws(Diagnostic)
    -> [ValueID]
  {
    guard context.fact(x).shape[3] == Dim(count) else {
      throw Diagnostic("onnx.attention", "\(context.fact(x).type) does not hold \(count) of each head")
    }
    var parts: [ValueID] = []
    for index in 0..<count {
      parts.append(try context.emit(Transpose([0, 2, 1, 3]), try context.element(index, of: x, axis: 3)))
    }
    return parts
  }
}

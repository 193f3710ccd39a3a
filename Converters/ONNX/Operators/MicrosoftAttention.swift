import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `Attention`: queries, keys and values by one product, then `scaled_dot_product_attention` of their
/// heads; `past` and the second output hold keys and values beside each other.
package enum ONNXMicrosoftAttention: ONNXMicrosoftOperator {
  package static let types = ["Attention"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard context.input(6) == nil else {
      throw Diagnostic("onnx.attention", "buffers shared with the past are not supported", kind: .unsupported)
    }
    var projected = try context.emit(MatMul(), try context.required(0), try context.required(1))
    if let bias = context.input(2) { projected = try context.emit(Add(), projected, bias) }
    let (padding, past, bias) = (context.input(3), context.input(4), context.input(5))
    return try attended(node, projected, padding: padding, past: past, bias: bias, in: &context)
  }

  /// `projected` has queries, keys and values beside each other; gives the result, and keys and values where the node
  /// wants them.
  static func attended(
    _ node: ONNXNode,
    _ projected: ValueID,
    padding: ValueID?,
    past: ValueID?,
    bias: ValueID?,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> [ValueID] {
    guard try !node.flag("do_rotary"), try !node.flag("past_present_share_buffer") else {
      let message = "rotation, and buffers shared with the past, are not supported"
      throw Diagnostic("onnx.attention", message, kind: .unsupported)
    }
    let parts = try heads(node, projected, in: &context)
    var (key, value) = (parts[1], parts[2])
    let before = try past.map { (past) throws(Diagnostic) in try context.element(0, of: past, axis: 0) }
    if let past, let before {
      key = try context.concat([before, key], axis: 2)
      value = try context.concat([try context.element(1, of: past, axis: 0), value], axis: 2)
    }
    var steps = try ONNXAttentionSteps(node, context.fact(parts[0]))
    if steps.scale == 0 { steps.scale = nil }
    let scores = try ONNXPaddingMask.scores(node, padding, bias, past: before, parts[0], key, in: &context)
    steps.mask = scores.map(ONNXAttentionMask.init(scores:))
    (steps.query, steps.key, steps.value) = (parts[0], key, value)
    let y = try context.joinHeads(try steps.run(wantsScores: false, in: &context).0)
    guard node.output(1) != nil else { return [y] }
    let present = [try context.emit(ExpandDims([0]), key), try context.emit(ExpandDims([0]), value)]
    return [y, try context.concat(present, axis: 0)]
  }

  private static func heads(_ node: ONNXNode, _ x: ValueID, in context: inout ONNXContext) throws(Diagnostic)
    -> [ValueID]
  {
    let fact = context.fact(x)
    guard fact.rank == 3, let width = fact.shape[2].constant else {
      throw Diagnostic("onnx.attention", "\(fact.type) are no queries, keys and values")
    }
    let sizes = try node.ints("qkv_hidden_sizes") ?? [width / 3, width / 3, width / 3]
    guard sizes.count == 3, sizes.allSatisfy({ 1...width ~= $0 }), sizes.reduce(0, +) == width else {
      throw Diagnostic("onnx.attention", "\(width) columns are not \(sizes)")
    }
    var (parts, start) = ([ValueID](), 0)
    for size in sizes {
      let part = try context.slice(x, axis: 2, from: start, to: start + size)
      parts.append(try context.splitHeads(part, try node.int("num_heads")))
      start += size
    }
    return parts
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `GroupQueryAttention`: queries that share keys in groups, turned by their places, attend to a cache of
/// keys and values, into which those of the new elements are written first.
package enum ONNXGroupQueryAttention: ONNXMicrosoftOperator {
  package static let types = ["GroupQueryAttention"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    try refuse(node, context)
    var (query, key, value) = try heads(node, in: &context)
    let last = try context.cast(try context.required(5), to: .int64)
    let cache = try ONNXKeyCache(last: last, total: try context.required(6), new: key, in: &context)
    if try node.flag("do_rotary") {
      let rotation = try Rotation(node, cache, key, in: &context)
      query = try rotation.turned(query, in: &context)
      key = try rotation.turned(key, in: &context)
    }
    if let keys = context.input(3), let values = context.input(4) {
      key = try cache.appended(keys, key, in: &context)
      value = try cache.appended(values, value, in: &context)
    }
    let groups = try ONNXHeadGroups(context.fact(query), context.fact(key))
    let mask = ONNXAttentionMask(scores: try scores(node, cache, last, query, key, in: &context))
    var steps = try ONNXAttentionSteps(node, context.fact(query))
    if steps.scale == 0 { steps.scale = nil }
    steps.query = try groups.split(query, in: &context)
    (steps.key, steps.value) = (try groups.widen(key, in: &context), try groups.widen(value, in: &context))
    steps.mask = try groups.mapped(mask, in: &context)
    let y = try groups.joined(try steps.run(wantsScores: false, in: &context).0, query, in: &context)
    return [try context.joinHeads(y), key, value]
  }

  private static func refuse(_ node: ONNXNode, _ context: ONNXContext) throws(Diagnostic) {
    let quantised = [
      try node.string("k_quant_type", default: "NONE"), try node.string("v_quant_type", default: "NONE"),
    ]
    let names = ["head_sink", "k_scale", "v_scale", "q_norm_weight", "k_norm_weight"]
    var found = (11..<16).filter { context.input($0) != nil }.map { names[$0 - 11] }
    if quantised != ["NONE", "NONE"] { found.append("k_quant_type") }
    for name in ["smooth_softmax", "sliding_window_cache", "qk_output"] where try node.int(name, default: 0) > 0 {
      found.append(name)
    }
    guard found.isEmpty else {
      throw Diagnostic("onnx.attention", "not supported: \(found.joined(separator: ", "))", kind: .unsupported)
    }
    guard (context.input(3) == nil) == (context.input(4) == nil) else {
      throw Diagnostic("onnx.attention", "past_key and past_value come together")
    }
  }

  /// `[batch, heads, length, width]` each. Without keys the first input has all three beside each other.
  private static func heads(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic)
    -> (ValueID, ValueID, ValueID)
  {
    let (count, groups) = (try node.int("num_heads", default: 0), try node.int("kv_num_heads", default: 0))
    let all = try context.required(0)
    if let key = context.input(1) {
      let value = try context.splitHeads(try context.required(2), groups)
      return (try context.splitHeads(all, count), try context.splitHeads(key, groups), value)
    }
    guard 1..<(1 << 20) ~= count, 1..<(1 << 20) ~= groups else {
      throw Diagnostic("onnx.attention", "\(count) heads in \(groups) groups")
    }
    let rows = try context.splitHeads(all, count + 2 * groups)
    return (
      try context.slice(rows, axis: 1, from: 0, to: count),
      try context.slice(rows, axis: 1, from: count, to: count + groups),
      try context.slice(rows, axis: 1, from: count + groups)
    )
  }

  /// Which keys each query attends to, `[batch, 1, queries, keys]`, with the bias if there is one: those up to its own
  /// place, as many as the window holds, or all that there are when it is not `causal`.
  private static func scores(
    _ node: ONNXNode,
    _ cache: ONNXKeyCache,
    _ last: ValueID,
    _ query: ValueID,
    _ key: ValueID,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let columns = try context.places(of: key, axis: 2)
    let window = try node.int("local_window_size", default: -1)
    var allowed: ValueID
    if try node.flag("causal", default: true) {
      let places = try context.emit(ExpandDims([1, 3]), try cache.places(of: query, in: &context))
      allowed = try context.emit(LessEqual(), columns, places)
      if 0..<(1 << 31) ~= window {
        let first = try context.emit(Sub(), places, context.constant(.scalar(.int64, window), "window"))
        allowed = try context.emit(LogicalAnd(), allowed, try context.emit(Greater(), columns, first))
      }
    } else {
      let shape = [context.fact(query).shape[0], 1, 1, 1]
      allowed = try context.emit(LessEqual(), columns, try context.reshape(last, shape, sources: [query]))
    }
    guard let bias = context.input(10) else { return allowed }
    return try context.emit(Select(), allowed, bias, try context.number(-.infinity, like: bias))
  }
}

/// Cosines and sines of the places of new elements.
private struct Rotation {
  private let rotation: ONNXRotation
  private let cos: ValueID
  private let sin: ValueID

  init(_ node: ONNXNode, _ cache: ONNXKeyCache, _ new: ValueID, in context: inout ONNXContext) throws(Diagnostic) {
    let tables = [try context.required(7), try context.required(8)]
    guard let half = context.fact(tables[0]).shape.last?.constant, 1...(1 << 24) ~= half else {
      throw Diagnostic("onnx.rotary-embedding", "cosines are \(context.fact(tables[0]).type)")
    }
    rotation = ONNXRotation(size: 2 * half, isInterleaved: try node.flag("rotary_interleaved"))
    let own = try cache.places(of: new, in: &context)
    let places = context.input(9) ?? own
    let found = try tables.map { (table) throws(Diagnostic) in
      try context.emit(ExpandDims([1]), try context.emit(Gather(axis: 0), table, places))
    }
    (cos, sin) = (found[0], found[1])
  }

  func turned(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try rotation.turned(x, cos, sin, in: &context)
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// What an ONNX `Attention` says of which query attends to which key.
struct ONNXAttentionMask {
  /// Truth values, or what is added to the scores; broadcast to `[batch, heads, queries, keys]`.
  var scores: ValueID
  /// Whether a row has a key at all, where some may have none: `scores` with one key.
  var rows: ValueID?

  init(scores: ValueID) { self.scores = scores }

  /// `nil` when every query attends to every key.
  ///
  /// A query stands at its place behind the keys of the past, or, given how many keys are no padding, as many places
  /// from their end as there are queries. Throws `onnx.attention`.
  init?(_ node: ONNXNode, _ query: ValueID, _ key: ValueID, in context: inout ONNXContext) throws(Diagnostic) {
    var allowed = try Self.bands(node, query, key, in: &context)
    let hasWindow = try Self.hasWindow(node)
    let isPlain = context.input(6) == nil && !hasWindow
    guard let given = try Self.padded(key, in: &context) else {
      guard let allowed else { return nil }
      scores = allowed
      rows = isPlain ? nil : try context.emit(ReduceMax(axes: [-1], keepDims: true), allowed)
      return
    }
    if context.fact(given).dtype == .bool {
      allowed = try allowed.map { (bands) throws(Diagnostic) in try context.emit(LogicalAnd(), bands, given) } ?? given
      scores = allowed!
      rows = try context.emit(ReduceMax(axes: [-1], keepDims: true), scores)
      return
    }
    let bias = try context.cast(given, to: context.fact(query).dtype)
    let never = try context.number(-.infinity, like: bias)
    scores = try allowed.map { (bands) throws(Diagnostic) in try context.emit(Select(), bands, bias, never) } ?? bias
    let largest = try context.emit(ReduceMax(axes: [-1], keepDims: true), scores)
    rows = try context.emit(NotEqual(), largest, never)
  }

  private static func hasWindow(_ node: ONNXNode) throws(Diagnostic) -> Bool {
    let sizes = [try node.int("left_window_size", default: -1), try node.int("right_window_size", default: -1)]
    return sizes.contains { $0 >= 0 }
  }

  /// What causality, the window and padding allow; `nil` when that is all.
  private static func bands(_ node: ONNXNode, _ query: ValueID, _ key: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID?
  {
    var allowed: [ValueID] = []
    let columns = try context.places(of: key, axis: 2)
    var own: ValueID?
    if let counts = context.input(6) {
      guard context.fact(counts).rank == 1 else {
        throw Diagnostic("onnx.attention", "nonpad_kv_seqlen is \(context.fact(counts).type), expected a vector")
      }
      own = try context.emit(ExpandDims([1, 2, 3]), try context.cast(counts, to: .int64))
      allowed.append(try context.emit(Less(), columns, own))
    }
    let (left, right) = (
      try node.int("left_window_size", default: -1), try node.int("right_window_size", default: -1)
    )
    let isCausal = try node.flag("is_causal")
    guard isCausal || left >= 0 || right >= 0 else { return allowed.first }
    var place = try context.emit(ExpandDims([1]), try context.places(of: query, axis: 2))
    if let own {
      let start = try context.emit(Sub(), own, try context.extent(of: query, axis: 2))
      place = try context.emit(Add(), place, start)
    } else if let past = context.input(4) {
      place = try context.emit(Add(), place, try context.extent(of: past, axis: 2))
    }
    if isCausal { allowed.append(try context.emit(LessEqual(), columns, place)) }
    for (size, sign) in [(left, -1), (right, 1)] where size >= 0 {
      guard size < 1 << 31 else { throw Diagnostic("onnx.attention", "a window of \(size) places") }
      let end = try context.emit(Add(), place, context.constant(.scalar(.int64, sign * size), "window"))
      let op: any Operator = sign < 0 ? GreaterEqual() : LessEqual()
      allowed.append(try context.emit(op, columns, end))
    }
    var all = allowed[0]
    for next in allowed.dropFirst() { all = try context.emit(LogicalAnd(), all, next) }
    return all
  }

  /// The mask that is given, of rank 2 at least; keys that it does not mention are not attended to.
  private static func padded(_ key: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID? {
    guard var mask = context.input(3) else { return nil }
    if context.fact(mask).rank == 1 { mask = try context.emit(ExpandDims([0]), mask) }
    let fact = context.fact(mask)
    guard 2...4 ~= fact.rank, fact.dtype == .bool || fact.dtype.isFloat else {
      throw Diagnostic("onnx.attention", "the mask is \(fact.type)")
    }
    guard let have = fact.shape[fact.rank - 1].constant, let keys = context.fact(key).shape[2].constant, have < keys
    else { return mask }
    let amounts = [Int](repeating: 0, count: 2 * fact.rank - 1) + [keys - have]
    let filler = try context.number(fact.dtype == .bool ? 0 : -.infinity, like: mask)
    return try context.emit(Pad(mode: "constant"), mask, context.constant(ints: amounts, "pad"), filler)
  }
}

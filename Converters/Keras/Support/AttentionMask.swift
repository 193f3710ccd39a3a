import MLCCore
import MLCGraph
import MLCOps

/// Which keys each query of an attention looks at: what masks, the author and causality leave.
struct AttentionMask {
  /// Masks that broadcast to `[batch, T, S]`.
  private var parts: [ValueID] = []

  /// `mask: [batch, T]` of the queries.
  mutating func add(queries mask: ValueID?, in context: inout KerasContext) throws(Diagnostic) {
    if let mask { parts.append(try context.emit(ExpandDims([2]), try Self.bool(mask, &context))) }
  }

  /// `mask: [batch, S]` of the keys.
  mutating func add(keys mask: ValueID?, in context: inout KerasContext) throws(Diagnostic) {
    if let mask { parts.append(try context.emit(ExpandDims([1]), try Self.bool(mask, &context))) }
  }

  /// `mask: [batch, T, S]`, or `[batch, heads, T, S]`.
  mutating func add(_ mask: ValueID, in context: inout KerasContext) throws(Diagnostic) {
    parts.append(try Self.bool(mask, &context))
  }

  /// A query does not look at keys behind its own place. `query` and `keys` have their steps on axis 1.
  mutating func addCausal(
    _ query: ValueID,
    _ keys: ValueID,
    in context: inout KerasContext
  ) throws(Diagnostic) {
    let sizes = [query, keys].map { context.fact($0).shape[1] }
    // Large ones are computed at run time.
    if let t = sizes[0].constant, let s = sizes[1].constant, t <= 1 << 11, s <= 1 << 11 {
      let mask = try context.shared("causal:\(t):\(s)") { (context) throws(Diagnostic) in
        context.constant(Tensor(.bool, [t, s], (0..<t * s).map { $0 % s <= $0 / s ? 1 : 0 }), "causal")
      }
      parts.append(mask)
      return
    }
    var extents: [ValueID] = []
    for value in [query, keys] { extents.append(try context.extents(of: value, at: [1])) }
    let shape = try context.emit(Concat(axis: 0), all: [extents])[0]
    let ones = try context.emit(Fill(), shape, context.constant(Tensor.scalar(.int32, 1), "one"))
    let causal = try context.emit(BandPart(lower: -1, upper: 0), ones)
    parts.append(try context.emit(Cast(.bool), causal))
  }

  /// `scores` with a number far below all others where a key is not looked at. `scores` are `[batch, T, S]`, or have
  /// the axis of heads behind the batch.
  func applied(to scores: ValueID, in context: inout KerasContext) throws(Diagnostic) -> ValueID {
    var aligned = parts
    for (index, part) in parts.enumerated() where context.fact(scores).rank == 4 && context.fact(part).rank == 3 {
      aligned[index] = try context.emit(ExpandDims([1]), part)
    }
    guard var mask = aligned.first else { return scores }
    for part in aligned.dropFirst() { mask = try context.emit(LogicalAnd(), mask, part) }
    // A query that looks at no key gets the mean of all values.
    let lowest = context.fact(scores).dtype == .float16 ? -3e4 : -1e9
    return try context.emit(Select(), mask, scores, context.scalar(lowest, like: scores))
  }

  private static func bool(_ mask: ValueID, _ context: inout KerasContext) throws(Diagnostic) -> ValueID {
    context.fact(mask).dtype == .bool ? mask : try context.emit(Cast(.bool), mask)
  }
}

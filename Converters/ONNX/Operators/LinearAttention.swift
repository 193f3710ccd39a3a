import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LinearAttention`: a state `S: [d, e]` of each head of keys, which every place t of the sequence changes and
/// queries read, `o = scale · qᵀ S`, in float32.
///
/// By `update_rule` a place first fades the state, `S = exp(decay) · S` (`gated`, `gated_delta`), then adds to it
/// `k ⊗ v` or, for `delta` and `gated_delta`, `k ⊗ beta · (v − Sᵀ k)`. Heads of queries share those of keys in order.
/// `chunk_size` says nothing of the result. The rounds are a `while_loop`, unless there is one place alone.
package enum ONNXLinearAttention: ONNXOperator {
  package static let types = ["LinearAttention"]
  package static var sinceOpset: Int { 27 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let steps = try LinearAttentionSteps(node, in: &context)
    let query = try context.required(0)
    let shape = context.fact(query).shape
    let past = context.input(3)
    let extents = [shape[0], Dim(steps.heads), Dim(steps.keyWidth), Dim(steps.valueWidth)]
    var state: ValueID
    if let past {
      guard context.fact(past).rank == 4, zip(context.fact(past).shape, extents).allSatisfy(ONNXContext.fits) else {
        throw Diagnostic("onnx.linear-attention", "the past is \(context.fact(past).type)")
      }
      state = try context.cast(past, to: .float32)
    } else {
      state = try context.zeros(.float32, extents, sources: [query], "onnx.linear-attention")
    }
    var rows: ValueID
    if shape[1] == 1 {
      let first = context.constant(.scalar(.int64, 0), "place")
      (state, rows) = try steps.round(first, state, in: &context)
      rows = try context.emit(ExpandDims([1]), rows)
    } else {
      let rounds = ONNXRounds(
        id: "onnx.linear-attention",
        limit: try context.cast(try context.extent(of: query, axis: 1), to: .int64),
        initial: [state],
        names: ["state"]
      ) { (context, place, carried) throws(Diagnostic) in
        let (next, row) = try steps.round(place, carried[0], in: &context)
        return .init(holds: nil, next: [next], rows: [row])
      }
      let results = try rounds.append(to: &context)
      (state, rows) = (results[0], try context.emit(Transpose([1, 0, 2, 3, 4]), results[1]))
    }
    let width = Dim(steps.heads * steps.members * steps.valueWidth)
    let y = try context.reshape(rows, [shape[0], shape[1], width], sources: [query])
    let dtype = context.fact(query).dtype
    return [try context.cast(y, to: dtype), try context.cast(state, to: past.map { context.fact($0).dtype } ?? dtype)]
  }
}

/// What a place of the sequence does.
private struct LinearAttentionSteps {
  /// Heads of keys, heads of queries for each, and the extents of a state.
  let heads: Int, members: Int, keyWidth: Int, valueWidth: Int
  private let scale: Double
  /// `[batch, length, heads, …]`, float32.
  private let query: ValueID, key: ValueID, value: ValueID
  private var decay: ValueID?, beta: ValueID?

  /// Throws `onnx.linear-attention`.
  init(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) {
    let rule = try node.string("update_rule", default: "gated_delta")
    guard ["linear", "gated", "delta", "gated_delta"].contains(rule),
      rule.hasPrefix("gated") == (context.input(4) != nil), rule.hasSuffix("delta") == (context.input(5) != nil)
    else {
      throw Diagnostic("onnx.linear-attention", "update_rule '\(rule)' does not go with the inputs that are given")
    }
    let (all, own) = (try node.int("q_num_heads", default: 0), try node.int("kv_num_heads", default: 0))
    let parts = [try context.required(0), try context.required(1), try context.required(2)]
    let types = parts.map { context.fact($0).type }
    guard own > 0, all > 0, all.isMultiple(of: own), types.allSatisfy({ $0.rank == 3 && $0.dtype.isFloat }),
      let (wide, deep, long) = Self.widths(types), wide.isMultiple(of: all), deep.isMultiple(of: own),
      long.isMultiple(of: own), wide / all == deep / own, deep > 0, wide * long < 1 << 40
    else {
      throw Diagnostic("onnx.linear-attention", "\(types) do not divide into \(all) and \(own) heads")
    }
    (heads, members, keyWidth, valueWidth) = (own, all / own, deep / own, long / own)
    let given = Double(try node.float("scale", default: 0))
    scale = given == 0 ? 1 / Double(keyWidth).squareRoot() : given
    query = try Self.split(parts[0], [own, all / own, keyWidth], in: &context)
    key = try Self.split(parts[1], [own, keyWidth], in: &context)
    value = try Self.split(parts[2], [own, valueWidth], in: &context)
    decay = try context.input(4).map { (x) throws(Diagnostic) in
      try Self.rates(x, own, [own, own * keyWidth], in: &context)
    }
    beta = try context.input(5).map { (x) throws(Diagnostic) in try Self.rates(x, own, [own, 1], in: &context) }
  }

  private static func widths(_ types: [TensorType]) -> (Int, Int, Int)? {
    let numbers = types.compactMap { $0.shape[2].constant }
    return numbers.count == 3 && numbers.allSatisfy { $0 < 1 << 31 } ? (numbers[0], numbers[1], numbers[2]) : nil
  }

  private static func split(_ x: ValueID, _ extents: [Int], in context: inout ONNXContext) throws(Diagnostic) -> ValueID
  {
    let shape = context.fact(x).shape
    let wide = try context.cast(x, to: .float32)
    return try context.reshape(wide, [shape[0], shape[1]] + extents.map { Dim($0) }, sources: [x])
  }

  /// `[batch, length, widths]` as `[batch, length, heads, 1 or width]`; one of `widths` is the last extent.
  private static func rates(_ x: ValueID, _ heads: Int, _ widths: [Int], in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let fact = context.fact(x)
    guard fact.rank == 3, fact.dtype.isFloat, let width = fact.shape[2].constant, widths.contains(width) else {
      throw Diagnostic("onnx.linear-attention", "decay or beta is \(fact.type) for \(heads) heads")
    }
    return try split(x, width < heads ? [1, 1] : [heads, width / heads], in: &context)
  }

  /// The state behind place `place`, and what queries read of it, `[batch, heads, members, width]`.
  func round(_ place: ValueID, _ state: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> (ValueID, ValueID)
  {
    let at = Gather(axis: 1)
    var state = state
    if let decay {
      let rate = try context.emit(Exp(), try context.emit(at, decay, place))
      state = try context.emit(Mul(), state, try context.emit(ExpandDims([3]), rate))
    }
    let k = try context.emit(at, key, place)
    var v = try context.emit(ExpandDims([2]), try context.emit(at, value, place))
    if let beta {
      let known = try context.emit(MatMul(), try context.emit(ExpandDims([2]), k), state)
      let rate = try context.emit(ExpandDims([3]), try context.emit(at, beta, place))
      v = try context.emit(Mul(), rate, try context.emit(Sub(), v, known))
    }
    state = try context.emit(Add(), state, try context.emit(Mul(), try context.emit(ExpandDims([3]), k), v))
    let read = try context.emit(MatMul(), try context.emit(at, query, place), state)
    return (state, try context.scaled(read, by: scale))
  }
}

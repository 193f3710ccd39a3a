import MLCCore
import MLCGraph
import MLCOps

extension ScaledDotProductAttention: Lowerable {
  /// One attention kernel for float types up to 32 bits, where depths are numbers; scores, softmax and the weighted sum
  /// as three kernels elsewhere. What 16-bit types would round between the steps is fp32.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let result = context.outputFact().shape
    let (query, key, value) = (context.fact("query").shape, context.fact("key").shape, context.fact("value").shape)
    let rank = (query: query.count, key: key.count, value: value.count)
    context.requireEqual(query[rank.query - 1], key[rank.key - 1])
    context.requireEqual(key[rank.key - 2], value[rank.value - 2])
    for name in ["query", "key", "value"] {
      context.requireBroadcast(context.fact(name).shape.dropLast(2), to: result.dropLast(2))
    }
    if let mask = context.optionalFact("attn_mask") {
      context.requireBroadcast(mask.shape, to: result.dropLast() + [key[rank.key - 2]])
    }
    if context.lowerAttention(maskedScore: maskedScore) { return }
    try context.lowerAttentionInSteps(maskedScore: maskedScore)
  }
}

extension LoweringContext {
  /// Depths that fit the scratch of one kernel.
  fileprivate static let largestDepth = 512

  fileprivate mutating func lowerAttention(maskedScore: Double) -> Bool {
    let stored = outputFact().dtype
    let (query, key, value) = (input("query"), input("key"), input("value"))
    let result = outputFact().shape
    let rank = result.count
    let batch = Array(result.dropLast(2))
    func sizes(_ tensor: TensorID) -> [Dim] { Array(program[tensor].shape.suffix(2)) }
    guard stored.widened == .float32, let depth = sizes(query)[1].constant, let width = result[rank - 1].constant,
      sizes(key)[1] == sizes(query)[1], (1...Self.largestDepth).contains(depth), (1...Self.largestDepth).contains(width)
    else { return false }
    let (m, n) = (Axis(rank - 2, result[rank - 2]), Axis(rank - 1, sizes(key)[0]))
    let (k, f) = (Axis(rank, Dim(depth)), Axis(rank + 1, Dim(width)))
    var params = KernelParams()
    func access(_ tensor: TensorID, _ row: Axis, _ column: Axis) -> [Index] {
      let lead = broadcast(
        extents: Array(program[tensor].shape.dropLast(2)),
        batch.indices.map { .axis($0) },
        to: batch
      )
      return lead + [.axis(row.id), .axis(column.id)]
    }
    let indices = [access(query, m, k), access(key, n, k), access(value, n, f)]
    guard indices.joined().allSatisfy({ $0.affine != nil }) else { return false }
    var attention = Attention(
      batch: batch.enumerated().map { Axis($0, $1) },
      m: m,
      n: n,
      k: k,
      f: f,
      query: .init(params.read(query), indices[0]),
      key: .init(params.read(key), indices[1]),
      value: .init(params.read(value), indices[2]),
      output: .init(params.write(output()), batch.indices.map { .axis($0) } + [.axis(m.id), .axis(f.id)]),
      scale: 1 / Double(depth).squareRoot()
    )
    attention.score = masked(.accumulator, maskedScore, batch + [m.extent, n.extent], .float32, &params)
    append("attention", params, .attention(attention))
    return true
  }

  /// `score` with the mask, if there is one: added, or `maskedScore` where it is false.
  private mutating func masked(
    _ score: Scalar,
    _ maskedScore: Double,
    _ shape: [Dim],
    _ dtype: DType,
    _ params: inout KernelParams
  ) -> Scalar {
    guard let mask = optionalInput("attn_mask") else { return score }
    let term = params.load(mask, program.broadcast(mask, shape.indices.map { .axis($0) }, to: shape))
    return program[mask].dtype == .bool ? .select(term, score, .number(maskedScore, dtype)) : score + term
  }

  fileprivate mutating func lowerAttentionInSteps(maskedScore: Double) throws(Diagnostic) {
    let stored = outputFact().dtype
    let dtype = stored.widened
    let (query, key) = (input("query"), input("key"))
    let value = try widened(input("value"), "value")
    let result = outputFact().shape
    let batch = Array(result.dropLast(2))
    let (rows, depth) = (result[batch.count], program[query].shape.last!)
    let keys = program[key].shape[program[key].shape.count - 2]
    let scores = temporary("scores", dtype, batch + [rows, keys])
    let scale = depth.constant.map { Scalar.number(1 / Double($0).squareRoot(), dtype) }
    let scaled = Scalar.accumulator * (scale ?? .unary(.rsqrt, .index(.dim(depth), dtype)))
    var params = KernelParams()
    let product = product(query, key, scores, k: depth, transposed: true, &params)
    let score = masked(scaled, maskedScore, batch + [rows, keys], dtype, &params)
    append("attention_scores", params, product.with(score).body(dtype: stored))
    softmaxRows(scores)
    var last = KernelParams()
    let sum = self.product(scores, value, output(), k: keys, transposed: false, &last)
    append("attention_sum", last, sum.body(dtype: dtype))
  }
}

extension Matmul {
  fileprivate func with(_ epilogue: Scalar) -> Matmul {
    var copy = self
    copy.epilogue = epilogue
    return copy
  }
}

extension LoweringContext {
  /// `x` in the type that it is computed in.
  fileprivate mutating func widened(_ x: TensorID, _ suffix: String) throws(Diagnostic) -> TensorID {
    let type = program[x].type
    if type.dtype.widened == type.dtype { return x }
    let copy = temporary(suffix, type.dtype.widened, type.shape)
    try map("widen", to: copy) { (params, axes) throws(Diagnostic) in params.load(x, axes) }
    return copy
  }

  /// `output[b…, m, n] = Σₖ x[b…, m, k] · y[b…, k, n]`, or `y[b…, n, k]` when `transposed`, batch axes broadcast.
  fileprivate mutating func product(
    _ x: TensorID,
    _ y: TensorID,
    _ output: TensorID,
    k: Dim,
    transposed: Bool,
    _ params: inout KernelParams
  ) -> Matmul {
    let shape = program[output].shape
    let batch = shape.count - 2
    let leading = (0..<batch).map { Index.axis($0) }
    let (m, n, inner) = (Index.axis(batch), Index.axis(batch + 1), Index.axis(batch + 2))
    func lead(_ tensor: TensorID) -> [Index] {
      broadcast(extents: Array(program[tensor].shape.dropLast(2)), leading, to: Array(shape.prefix(batch)))
    }
    return Matmul(
      batch: (0..<batch).map { Axis($0, shape[$0]) },
      m: Axis(batch, shape[batch]),
      n: Axis(batch + 1, shape[batch + 1]),
      k: Axis(batch + 2, k),
      lhs: .init(params.read(x), lead(x) + [m, inner]),
      rhs: .init(params.read(y), lead(y) + (transposed ? [n, inner] : [inner, n])),
      output: .init(params.write(output), leading + [m, n]),
      epilogue: .accumulator
    )
  }

  /// Softmax over the last axis, in place.
  fileprivate mutating func softmaxRows(_ x: TensorID) {
    let shape = program[x].shape
    let row = ReducedAxes([shape.count - 1], of: shape, keepDims: true)
    var params = KernelParams()
    let y = params.readWrite(x)
    let value = Scalar.load(param: y, row.index)
    let stages: [LoopNest.Stage] = [
      .reduce(.max, axes: row.inner, value: value),
      .store(param: y, index: row.index, axes: row.inner, value: .unary(.exp, value - .stage(0))),
      .reduce(.sum, axes: row.inner, value: value),
      .compute(.unary(.inverse, .stage(2))),
      .store(param: y, index: row.index, axes: row.inner, value: value * .stage(3)),
    ]
    append("attention_softmax", params, .loopNest(LoopNest(row.outer, stages)))
  }
}

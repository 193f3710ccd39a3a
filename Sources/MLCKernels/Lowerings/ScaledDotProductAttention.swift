import MLCCore
import MLCGraph
import MLCOps

extension ScaledDotProductAttention: Lowerable {
  /// Scores, softmax and the weighted sum as three kernels; what 16-bit types would round between them is fp32.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let stored = context.outputFact().dtype
    let dtype = stored.widened
    let (query, key) = (context.input("query"), context.input("key"))
    let value = try context.widened(context.input("value"), "value")
    let result = context.outputFact().shape
    let batch = Array(result.dropLast(2))
    let (rows, depth) = (result[batch.count], context.program[query].shape.last!)
    let keys = context.program[key].shape[context.program[key].shape.count - 2]
    let scores = context.temporary("scores", dtype, batch + [rows, keys])
    let scale = depth.constant.map { Scalar.number(1 / Double($0).squareRoot(), dtype) }
    var epilogue = Scalar.accumulator * (scale ?? .unary(.rsqrt, .index(.dim(depth), dtype)))
    var params = KernelParams()
    let product = context.product(query, key, scores, k: depth, transposed: true, &params)
    if let mask = context.optionalInput("attn_mask") {
      let place = context.broadcast(mask, (0..<batch.count + 2).map { .axis($0) }, to: batch + [rows, keys])
      let term = params.load(mask, place)
      let isFlag = context.program[mask].dtype == .bool
      epilogue = isFlag ? .select(term, epilogue, .number(-.infinity, dtype)) : epilogue + term
    }
    context.append("attention_scores", params, product.with(epilogue).body(dtype: stored))
    context.softmaxRows(scores)
    var last = KernelParams()
    let sum = context.product(scores, value, context.output(), k: keys, transposed: false, &last)
    context.append("attention_sum", last, sum.body(dtype: dtype))
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

import MLCCore
import MLCGraph
import MLCOps

extension LayerNorm: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let shape = context.fact("x").shape
    let axes = try resolvedAxes(rank: shape.count)
    context.requireShape(axes.map { shape[$0] }, of: "gamma", "beta")
    context.lowerNorm(over: axes, scaledAlong: axes, epsilon: epsilon, family: "layer_norm")
  }
}

extension InstanceNorm: Lowerable {
  package func lower(in context: inout LoweringContext) {
    let shape = context.fact("x").shape
    context.requireShape([shape[1]], of: "gamma", "beta")
    context.lowerNorm(over: Array(2..<shape.count), scaledAlong: [1], epsilon: epsilon, family: "instance_norm")
  }
}

extension LoweringContext {
  /// `(x − mean) / √(variance + ε) · gamma + beta`, statistics over `axes`, gamma and beta indexed by `scale` axes.
  fileprivate mutating func lowerNorm(over axes: [Int], scaledAlong scale: [Int], epsilon: Double, family: String) {
    let x = input("x")
    let (shape, stored) = (program[x].shape, program[x].dtype)
    let dtype = stored.widened
    let row = ReducedAxes(axes, of: shape, keepDims: true)
    var params = KernelParams()
    let count = row.inner.map(\.extent).reduce(1, *)
    func mean(_ sum: Scalar) -> Scalar {
      count.constant.map { sum * .number(1 / Double($0), dtype) } ?? sum / .index(.dim(count), dtype)
    }
    let value = params.load(x, row.index)
    let centred = value - .stage(1)
    let place = scale.map { Index.axis($0) }
    var result = centred * .stage(3)
    if let gamma = optionalInput("gamma") { result = result * params.load(gamma, place) }
    if let beta = optionalInput("beta") { result = result + params.load(beta, place) }
    let stages: [LoopNest.Stage] = [
      .reduce(.sum, axes: row.inner, value: value),
      .compute(mean(.stage(0))),
      .reduce(.sum, axes: row.inner, value: centred * centred),
      .compute(.unary(.rsqrt, mean(.stage(2)) + .number(epsilon, dtype))),
      .store(param: params.write(output()), index: row.index, axes: row.inner, value: result),
    ]
    append(family, params, .loopNest(LoopNest(row.outer, stages)))
  }
}

extension BatchNorm: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, mean, variance) = (context.input("x"), context.input("mean"), context.input("variance"))
    context.requireShape([context.fact("x").shape[1]], of: "mean", "variance", "gamma", "beta")
    let (gamma, beta) = (context.optionalInput("gamma"), context.optionalInput("beta"))
    let output = context.output()
    let dtype = context.program[output].dtype.widened
    let types = context.program
    func as32(_ value: Scalar, _ tensor: TensorID) -> Scalar {
      types[tensor].dtype.widened == dtype ? value : .cast(value, dtype)
    }
    try context.map("batch_norm", to: output) { (params, axes) throws(Diagnostic) in
      let channel = [axes[1]]
      let spread = as32(params.load(variance, channel), variance) + .number(epsilon, dtype)
      var scale = Scalar.unary(.rsqrt, spread)
      if let gamma { scale = scale * as32(params.load(gamma, channel), gamma) }
      let value = (params.load(x, axes) - as32(params.load(mean, channel), mean)) * scale
      return beta.map { value + as32(params.load($0, channel), $0) } ?? value
    }
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// A normalisation written out becomes `layer_norm`, without gamma and beta.
///
/// d = x − mean(x); v = mean(d²); y = d / √(v + ε), also as a product with `rsqrt`, `inverse` of `sqrt`, or a power of
/// −½. Both means over the same axes, kept; d² as `pow`, `square` or a product.
package struct RecognizeLayerNorm: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-4
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let (a, b) = graph.pair(operation) else { return nil }
    let candidates: [(centred: ValueID, root: ValueID?)]
    switch operation.op {
    case is RealDiv: candidates = [(a, graph.argument(of: b, through: Sqrt.self))]
    case is Mul: candidates = [(a, inverseRoot(b, graph)), (b, inverseRoot(a, graph))]
    default: return nil
    }
    for (centred, variance) in candidates {
      guard let variance, let (x, axes, epsilon) = match(centred, variance, graph),
        graph.type(x) == graph.type(operation.outputs[0]), graph.type(x).dtype.isFloat
      else { continue }
      return graph.patch(try graph.emit(LayerNorm(axes: axes, epsilon: epsilon), x, nil, nil))
    }
    return nil
  }

  /// w where `value` is 1/√w.
  func inverseRoot(_ value: ValueID, _ graph: GraphEditor) -> ValueID? {
    guard let operation = graph.producer(value) else { return nil }
    switch operation.op {
    case let op as Rsqrt: return op.epsilon == 0 ? operation.inputs[0].first : nil
    case let op as Inverse:
      return op.epsilon == 0 ? graph.argument(of: operation.inputs[0][0], through: Sqrt.self) : nil
    case is RealDiv:
      guard let (one, root) = graph.pair(operation), graph.number(one) == 1 else { return nil }
      return graph.argument(of: root, through: Sqrt.self)
    case is Pow:
      guard let (x, y) = graph.pair(operation), graph.number(y) == -0.5 else { return nil }
      return x
    default: return nil
    }
  }

  /// x, the axes and ε where `centred` is x − mean(x) and `sum` its variance and ε.
  func match(_ centred: ValueID, _ sum: ValueID, _ graph: GraphEditor) -> (x: ValueID, axes: [Int], epsilon: Double)? {
    let (variance, epsilon) = graph.sum(sum) ?? (sum, 0)
    guard let (difference, _) = graph.producer(centred, as: Sub.self), let (x, mean) = graph.pair(difference),
      let first = means(mean, graph), first.x == x, let second = means(variance, graph), first.axes == second.axes
    else { return nil }
    let square = ProductChain(second.x, graph)
    guard square.factors == [centred, centred], square.scale == 1, epsilon >= 0 else { return nil }
    return (x, first.axes, epsilon)
  }

  private func means(_ value: ValueID, _ graph: GraphEditor) -> (x: ValueID, axes: [Int])? {
    guard let (operation, op) = graph.producer(value, as: ReduceMean.self), op.keepDims,
      let x = operation.inputs[0].first,
      let axes = try? op.reducedAxes(rank: graph.type(x).rank)
    else { return nil }
    return (x, axes)
  }
}

/// A product with a constant over the normalised axes behind `layer_norm` becomes its gamma, then a sum its beta.
package struct FuseLayerNormAffine: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-5
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is Mul || operation.op is Add, let (value, c) = graph.operands(operation),
      graph.uses(value) == 1,
      let (source, op) = graph.producer(value, as: LayerNorm.self),
      graph.type(value) == graph.type(operation.outputs[0]),
      source.argument("beta") == nil, operation.op is Add || source.argument("gamma") == nil,
      let tensor = graph.constant(c), let vector = op.fitted(tensor, graph.type(value))
    else { return nil }
    let affine = graph.emitConstant(vector, name: operation.op is Mul ? "gamma" : "beta")
    let x = source.inputs[0].first
    let isGamma = operation.op is Mul
    return graph.patch(
      try graph.emit(op, x, isGamma ? affine : source.argument("gamma"), isGamma ? nil : affine, origin: source.origin)
    )
  }
}

extension LayerNorm {
  /// The constant in the shape of the normalised axes, when these are the last ones of `type`.
  func fitted(_ tensor: Tensor, _ type: TensorType) -> Tensor? {
    guard let axes = try? resolvedAxes(rank: type.rank), axes == Array(type.rank - axes.count..<type.rank) else {
      return nil
    }
    let shape = axes.compactMap { type.shape[$0].constant }
    guard shape.count == axes.count, tensor.count == shape.reduce(1, *), tensor.rank <= type.rank,
      tensor.rank >= axes.count, Array(tensor.shape.suffix(axes.count)) == shape
    else { return nil }
    return tensor.reshaped(shape)
  }
}

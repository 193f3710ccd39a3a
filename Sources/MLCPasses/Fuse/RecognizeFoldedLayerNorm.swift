import MLCCore
import MLCGraph
import MLCOps

/// A normalisation written as one product and one sum becomes `layer_norm` with gamma and beta: TensorFlow's form.
///
/// y = x · g + (β − mean(x) · g) with g = γ / √(v + ε) and v = mean((x − mean(x))²); γ may be missing. γ and β are
/// constants over the normalised axes, which are the last ones; nothing else reads the products.
package struct RecognizeFoldedLayerNorm: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-4
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is Add, let (a, b) = graph.pair(operation) else { return nil }
    for (product, shift) in [(a, b), (b, a)] {
      guard let (x, norm, gamma, beta) = match(product, shift, graph), graph.type(x) == graph.type(operation.outputs[0])
      else { continue }
      let scale = gamma.map { graph.emitConstant($0, name: "gamma") }
      let offset = graph.emitConstant(beta, name: "beta")
      return graph.patch(try graph.emit(norm, x, scale, offset))
    }
    return nil
  }

  private func match(
    _ product: ValueID,
    _ shift: ValueID,
    _ graph: GraphEditor
  ) -> (x: ValueID, norm: LayerNorm, gamma: Tensor?, beta: Tensor)? {
    guard graph.uses(product) == 1, graph.uses(shift) == 1,
      let (difference, _) = graph.producer(shift, as: Sub.self), let (offset, taken) = graph.pair(difference),
      let beta = graph.constant(offset), graph.uses(taken) == 1,
      let (outer, _) = graph.producer(product, as: Mul.self), let (inner, _) = graph.producer(taken, as: Mul.self),
      let (x, factor) = graph.pair(outer), let (mean, other) = graph.pair(inner)
    else { return nil }
    for (x, factor) in [(x, factor), (factor, x)] {
      for (mean, other) in [(mean, other), (other, mean)] where other == factor {
        guard let (norm, gamma) = norm(x, mean, factor, graph) else { continue }
        guard let beta = norm.fitted(beta, graph.type(x)) else { return nil }
        let scale = gamma.map { norm.fitted($0, graph.type(x)) }
        if case .some(.none) = scale { return nil }
        return (x, norm, scale ?? nil, beta)
      }
    }
    return nil
  }

  /// The normalisation of x whose mean is `mean` and whose γ / √(v + ε) is `factor`.
  private func norm(_ x: ValueID, _ mean: ValueID, _ factor: ValueID, _ graph: GraphEditor) -> (LayerNorm, Tensor?)? {
    let plain = RecognizeLayerNorm()
    var (root, gamma) = (factor, Tensor?.none)
    if let (operation, _) = graph.producer(factor, as: Mul.self), let (value, constant) = graph.operands(operation) {
      (root, gamma) = (value, graph.constant(constant))
    }
    guard let variance = plain.inverseRoot(root, graph) else { return nil }
    let average = graph.sum(variance)?.value ?? variance
    guard let (reduction, _) = graph.producer(average, as: ReduceMean.self), let squares = reduction.inputs[0].first,
      let centred = ProductChain(squares, graph).factors.first,
      let (difference, _) = graph.producer(centred, as: Sub.self), difference.inputs.map({ $0.first }) == [x, mean],
      let found = plain.match(centred, variance, graph), found.x == x
    else { return nil }
    return (LayerNorm(axes: found.axes, epsilon: found.epsilon), gamma)
  }
}

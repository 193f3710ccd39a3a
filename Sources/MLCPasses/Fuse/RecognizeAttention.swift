import MLCCore
import MLCGraph
import MLCOps

/// `softmax(q·kᵀ · s + mask)·v` becomes `scaled_dot_product_attention`.
///
/// s is 1/√E within rounding; the softmax is over the keys; no product in between has another reader. q, k and v have rank 3 or more.
package struct RecognizeAttention: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-4
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let outer = operation.op as? MatMul, !outer.transposeX, !outer.transposeY,
      let (weights, value) = graph.pair(operation),
      graph.uses(weights) == 1, graph.type(value).rank >= 3,
      let (softmax, op) = graph.producer(weights, as: Softmax.self), let logits = softmax.inputs[0].first,
      op.axis == -1 || op.axis == graph.type(logits).rank - 1
    else { return nil }
    var (scores, mask) = (logits, ValueID?.none)
    if let (sum, _) = graph.producer(logits, as: Add.self), graph.uses(logits) == 1, let (a, b) = graph.pair(sum) {
      let isLeft = match(a, graph) != nil
      (scores, mask) = isLeft ? (a, b) : (b, a)
    }
    guard let (query, key, isTransposed) = match(scores, graph), graph.type(query).rank >= 3, graph.type(key).rank >= 3,
      graph.type(scores) == graph.type(logits), mask.map({ graph.type($0).rank >= 2 }) ?? true
    else { return nil }
    let keys = isTransposed ? key : try transposed(key, &graph)
    return graph.patch(try graph.emit(ScaledDotProductAttention(), query, keys, value, mask))
  }

  /// `value` with its last two axes exchanged, which may undo a transposition.
  private func transposed(_ value: ValueID, _ graph: inout GraphEditor) throws(Diagnostic) -> ValueID {
    let rank = graph.type(value).rank
    var order = Array(0..<rank - 2) + [rank - 1, rank - 2]
    var source = value
    if let (operation, op) = graph.producer(value, as: Transpose.self) {
      (order, source) = (order.map { op.order[$0] }, operation.inputs[0][0])
    }
    return order == Array(order.indices) ? source : try graph.emit(Transpose(order), source)
  }

  /// q, k and whether the product reads k transposed, when `scores` is q·kᵀ/√E.
  private func match(_ scores: ValueID, _ graph: GraphEditor) -> (query: ValueID, key: ValueID, isTransposed: Bool)? {
    let chain = ProductChain(scores, graph)
    guard graph.uses(scores) == 1, chain.factors.count == 1,
      let (product, op) = graph.producer(chain.factors[0], as: MatMul.self), !op.transposeX,
      let (query, key) = graph.pair(product), let depth = graph.type(query).shape.last?.constant, depth > 0,
      chain.isScale(1 / Double(depth).squareRoot())
    else { return nil }
    return (query, key, op.transposeY)
  }
}

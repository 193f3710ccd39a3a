/// `out[b…, m, f] = Σₙ softmaxₙ(score(scale · Σₖ query[b…, m, k] · key[b…, n, k])) · value[b…, n, f]`, computed in
/// float32.
///
/// The four accesses are affine over the axes, so transposed, broadcast and head-split operands are read and written in
/// place. No keys give zeros; a row whose scores are all −∞, or one of which is NaN, is NaN.
package struct Attention: Hashable, Sendable {
  package var batch: [Axis]
  /// Queries, keys, the depth of both, and the columns of the values.
  package var m, n, k, f: Axis
  package var query, key, value, output: Matmul.Access
  package var scale: Double
  /// Over `accumulator`, the scaled product, and loads indexed by the batch, m and n axes: where a mask is added.
  package var score: Scalar

  package init(
    batch: [Axis],
    m: Axis,
    n: Axis,
    k: Axis,
    f: Axis,
    query: Matmul.Access,
    key: Matmul.Access,
    value: Matmul.Access,
    output: Matmul.Access,
    scale: Double,
    score: Scalar = .accumulator
  ) {
    (self.batch, self.m, self.n, self.k, self.f) = (batch, m, n, k, f)
    (self.query, self.key, self.value, self.output) = (query, key, value, output)
    (self.scale, self.score) = (scale, score)
  }

  /// The parameters that are accessed outside of `score`.
  package var params: [Int] { [query.param, key.param, value.param, output.param] }

  /// The same with other accesses.
  package func mapAccesses(_ change: (Matmul.Access) -> Matmul.Access) -> Attention {
    var copy = self
    (copy.query, copy.key) = (change(query), change(key))
    (copy.value, copy.output) = (change(value), change(output))
    return copy
  }
}

import MLCCore
import MLCGraph

/// Axes in another order, `y[i₀, i₁, …]` having extent `S[perm[k]]` on axis k: `x: T[*S]` → `y: T[*S∘perm]`.
///
/// Throws `transpose.perm` when `perm` is not a permutation of the axes.
/// Source: MIL `transpose`, ONNX `Transpose`.
package struct Transpose: Operator {
  package var perm: [Int] = []

  package static let schema = Schema<Transpose>("transpose", [.input("x"), .attribute("perm", \.perm)])
  package init() {}
  package init(_ perm: [Int]) { self.perm = perm }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    let perm = try order(x.rank)
    let indices = { x.type.staticShape.map { IndexMap.transposing($0, perm) } ?? [] }
    return [x.picking(indices, perm.map { x.shape[$0] })]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let perm = try order(x.rank)
    return [x.picking(IndexMap.transposing(x.shape, perm), perm.map { x.shape[$0] })]
  }

  /// `perm` with negative axes counted from the end.
  private func order(_ rank: Int) throws(Diagnostic) -> [Int] {
    let order = perm.map { $0 < 0 ? $0 + rank : $0 }
    guard order.sorted() == Array(0..<rank) else {
      throw Diagnostic("transpose.perm", "\(perm) is not an order of the \(rank) axes")
    }
    return order
  }
}

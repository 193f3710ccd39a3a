import MLCCore
import MLCGraph

/// The upper triangle of each matrix, `j − i ≥ k`, or without `upper` the lower, `j − i ≤ k`; 0 elsewhere: `x: T[*S, m,
/// n]`, `k: int[]` or `int[1]`, 0 when left out → `y: T[*S, m, n]`. Throws `trilu.dtype`, `trilu.k`. Source: mlc
/// extension, ONNX `Trilu`.
package struct Trilu: Operator {
  package var upper = true

  package static let schema = Schema<Trilu>(
    "trilu",
    [.input("x", rank: 2...64), .input("k", rank: 0...1, optional: true), .attribute("upper", \.upper)]
  )
  package init() {}
  package init(upper: Bool) { self.upper = upper }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    guard inputs["x"].dtype != .string else { throw Diagnostic.dtype("trilu", .string) }
    if let k = inputs[optional: "k"], !k.dtype.isInteger { throw Diagnostic.dtype("trilu", k.dtype, "k") }
    return [Fact(inputs["x"].type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, k) = (inputs["x"], inputs[optional: "k"]?.integers ?? [0])
    guard k.count == 1 else { throw Diagnostic("trilu.k", "k has \(k.count) elements, expected one") }
    return [x.picking(keepingMatrix(x.shape) { i, j in upper ? j - i >= k[0] : j - i <= k[0] }, x.shape)]
  }
}

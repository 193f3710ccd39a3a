import MLCCore
import MLCGraph

/// `y = x` where `x ≥ 0`, else `alpha·x`: `x: T[*S]`, `alpha: T[*A]` broadcast to S → `y: T[*S]`. NaN stays NaN.
///
/// MIL's `alpha: T[C]` has the shape `[C, 1, …]` here, one extent per axis from the channels on. Throws `prelu.dtype`,
/// `broadcast.shape`, `prelu.shape` when `alpha` is larger than `x`.
/// Source: MIL `prelu`, ONNX `PRelu`.
package struct Prelu: Operator {
  package static let schema = Schema<Prelu>("prelu", [.input("x"), .input("alpha")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, alpha) = (inputs["x"], inputs["alpha"])
    try checkSameDType(x, alpha, "prelu")
    guard x.dtype.isFloat || x.dtype.isInteger else { throw Diagnostic.dtype("prelu", x.dtype) }
    let shape = try Broadcast.shape([x.shape, alpha.shape])
    let grows = zip(shape, x.shape).contains { $0.constant != nil && $1.constant != nil && $0 != $1 }
    guard shape.count == x.rank, !grows else {
      throw Diagnostic("prelu.shape", "alpha \(alpha.type) does not broadcast to \(x.type)")
    }
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, alpha) = (inputs["x"], inputs["alpha"])
    guard try Broadcast.shape([x.shape, alpha.shape]) == x.shape else {
      throw Diagnostic("prelu.shape", "alpha \(alpha.type) does not broadcast to \(x.type)")
    }
    if x.dtype.isFloat {
      let y = Broadcast.map(x.doubles, x.shape, alpha.doubles, alpha.shape, to: x.shape) { $0 < 0 ? $0 * $1 : $0 }
      return [Tensor(x.dtype, x.shape, y)]
    }
    let signed = x.dtype.isSigned
    let y = Broadcast.map(x.integers, x.shape, alpha.integers, alpha.shape, to: x.shape) {
      signed && $0 < 0 ? $0 &* $1 : $0
    }
    return [Tensor(x.dtype, x.shape, y)]
  }
}

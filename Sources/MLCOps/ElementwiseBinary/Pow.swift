import Glibc
import MLCCore
import MLCGraph

/// `z = xʸ`, broadcast: `x: T[*A]`, `y: U[*B]` → `z: T[*broadcast(A, B)]`; T and U may differ (mlc extension).
///
/// Floats as C's pow: `x⁰ = 1` and `1ʸ = 1` even for NaN. Where both are integers powers wrap, and negative exponents
/// truncate the true power (0 for |x| > 1, also for x = 0). Otherwise the double power truncates to T. Throws
/// `pow.dtype`, `broadcast.shape`.
/// Source: MIL `pow`, ONNX `Pow`.
package struct Pow: Operator {
  package static let schema = Schema<Pow>("pow", [.input("x"), .input("y"), .output("z")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, y) = (inputs["x"], inputs["y"])
    for (name, fact) in [("x", x), ("y", y)] where !fact.dtype.isFloat && !fact.dtype.isInteger {
      throw Diagnostic.dtype("pow", fact.dtype, name)
    }
    return [Fact(x.dtype, try Broadcast.shape([x.shape, y.shape]))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, y) = (inputs["x"], inputs["y"])
    let shape = try Broadcast.shape([x.shape, y.shape])
    try checkSize(x.dtype, shape, "pow")
    if x.dtype.isInteger, y.dtype.isInteger {
      let z = Broadcast.map(x.integers, x.shape, y.integers, y.shape, to: shape) { power($0, $1, y.dtype) }
      return [Tensor(x.dtype, shape, z)]
    }
    return [Tensor(x.dtype, shape, Broadcast.map(x.doubles, x.shape, y.doubles, y.shape, to: shape) { pow($0, $1) })]
  }

  private func power(_ base: Int, _ exponent: Int, _ dtype: DType) -> Int {
    if dtype.isSigned, exponent < 0 {
      return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0
    }
    var (result, square, bits) = (1, base, UInt(bitPattern: exponent))
    while bits > 0 {
      if bits & 1 == 1 { result = result &* square }
      square = square &* square
      bits >>= 1
    }
    return result
  }
}

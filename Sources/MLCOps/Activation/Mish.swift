import Glibc
import MLCCore
import MLCGraph

/// `y = x · tanh(ln(1 + eˣ))`, elementwise. 0 at −∞.
/// Source: mlc extension, ONNX `Mish`.
package struct Mish: ElementwiseUnary {
  package static let schema = Schema<Mish>("mish", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double {
    let softplus = x > 0 ? x + log1p(exp(-x)) : log1p(exp(x))
    return x == -.infinity ? 0 : x * tanh(softplus)
  }
}

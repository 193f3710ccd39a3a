import Glibc
import MLCCore
import MLCGraph

/// `y = ln(1 + eˣ)`, elementwise.
/// Source: MIL `softplus`, ONNX `Softplus`.
package struct Softplus: ElementwiseUnary {
  package static let schema = Schema<Softplus>("softplus", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double {
    x > 0 ? x + log1p(exp(-x)) : log1p(exp(x))
  }
}

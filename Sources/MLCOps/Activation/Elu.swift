import Glibc
import MLCCore
import MLCGraph

/// `y = x` where `x ≥ 0`, else `α·(eˣ − 1)`, elementwise.
/// Source: MIL `elu`, ONNX `Elu`.
package struct Elu: ElementwiseUnary {
  package var alpha: Double = 1

  package static let schema = Schema<Elu>("elu", [.input("x"), .attribute("alpha", \.alpha)])
  package init() {}
  package init(alpha: Double) {
    self.alpha = alpha
  }

  package func apply(_ x: Double) -> Double { x < 0 ? alpha * expm1(x) : x }
}

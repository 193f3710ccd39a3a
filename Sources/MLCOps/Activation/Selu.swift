import Glibc
import MLCCore
import MLCGraph

/// `y = γ·x` where `x > 0`, else `γ·α·(eˣ − 1)`, elementwise.
/// Source: mlc extension, ONNX `Selu`.
package struct Selu: ElementwiseUnary {
  package var alpha: Double = 1.67326319217681884765625
  package var gamma: Double = 1.05070102214813232421875

  package static let schema = Schema<Selu>(
    "selu",
    [.input("x"), .attribute("alpha", \.alpha), .attribute("gamma", \.gamma)]
  )
  package init() {}
  package init(alpha: Double, gamma: Double) {
    (self.alpha, self.gamma) = (alpha, gamma)
  }

  package func apply(_ x: Double) -> Double { gamma * (x > 0 ? x : alpha * expm1(x)) }
}

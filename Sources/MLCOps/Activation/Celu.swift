import Glibc
import MLCCore
import MLCGraph

/// `y = max(x, 0) + min(α·(e^(x/α) − 1), 0)`, elementwise.
/// Source: mlc extension, ONNX `Celu`.
package struct Celu: ElementwiseUnary {
  package var alpha: Double = 1

  package static let schema = Schema<Celu>("celu", [.input("x"), .attribute("alpha", \.alpha)])
  package init() {}
  package init(alpha: Double) {
    self.alpha = alpha
  }

  package func apply(_ x: Double) -> Double { x < 0 ? alpha * expm1(x / alpha) : x }
}

import MLCCore
import MLCGraph

/// `y = x` where `x ≥ 0`, else `α·x`, elementwise.
/// Source: MIL `leaky_relu`, ONNX `LeakyRelu`.
package struct LeakyRelu: ElementwiseUnary {
  package var alpha: Double = 0.01

  package static let schema = Schema<LeakyRelu>("leaky_relu", [.input("x"), .attribute("alpha", \.alpha)])
  package init() {}
  package init(alpha: Double) {
    self.alpha = alpha
  }

  package func apply(_ x: Double) -> Double { x < 0 ? alpha * x : x }
}

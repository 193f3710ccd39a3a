import MLCCore
import MLCGraph

/// `y = 1 / (x + ε)`, elementwise; without ε ±∞ at ±0.
/// Source: MIL `inverse`, ONNX `Reciprocal`.
package struct Inverse: ElementwiseUnary {
  package var epsilon: Double = 0

  package static let schema = Schema<Inverse>("inverse", [.input("x"), .attribute("epsilon", \.epsilon)])
  package init() {}
  package init(epsilon: Double) {
    self.epsilon = epsilon
  }

  package func apply(_ x: Double) -> Double { epsilon == 0 ? 1 / x : 1 / (x + epsilon) }
}

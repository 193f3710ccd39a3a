import MLCCore
import MLCGraph

/// `y = 1 / √(x + ε)`, elementwise. Without ε ±∞ at ±0; NaN below.
/// Source: MIL `rsqrt`.
package struct Rsqrt: ElementwiseUnary {
  package var epsilon: Double = 0

  package static let schema = Schema<Rsqrt>("rsqrt", [.input("x"), .attribute("epsilon", \.epsilon)])
  package init() {}
  package init(epsilon: Double) {
    self.epsilon = epsilon
  }

  package func apply(_ x: Double) -> Double { 1 / (epsilon == 0 ? x : x + epsilon).squareRoot() }
}

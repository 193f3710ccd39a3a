import Glibc
import MLCCore
import MLCGraph

/// `y = ln(x + ε)`, elementwise. −∞ at 0, NaN below.
/// Source: MIL `log`, ONNX `Log`.
package struct Log: ElementwiseUnary {
  package var epsilon: Double = 0

  package static let schema = Schema<Log>("log", [.input("x"), .attribute("epsilon", \.epsilon)])
  package init() {}
  package init(epsilon: Double) {
    self.epsilon = epsilon
  }

  package func apply(_ x: Double) -> Double { log(x + epsilon) }
}

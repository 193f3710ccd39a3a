import Glibc
import MLCCore
import MLCGraph

/// `y = x / (1 + e⁻ˣ)`, elementwise. 0 at −∞.
/// Source: MIL `silu`, ONNX `Swish`.
package struct Silu: ElementwiseUnary {
  package static let schema = Schema<Silu>("silu", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double {
    x == -.infinity ? 0 : x / (1 + exp(-x))
  }
}

import Glibc
import MLCCore
import MLCGraph

/// `y = x / (1 + e⁻ˣ)`, elementwise. NaN at −∞, as `x · sigmoid(x)` has it.
/// Source: MIL `silu`, ONNX `Swish`.
package struct Silu: ElementwiseUnary {
  package static let schema = Schema<Silu>("silu", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x / (1 + exp(-x)) }
}

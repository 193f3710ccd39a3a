import Glibc
import MLCCore
import MLCGraph

/// `y = 1 / (1 + e⁻ˣ)`, elementwise.
/// Source: MIL `sigmoid`, ONNX `Sigmoid`.
package struct Sigmoid: ElementwiseUnary {
  package static let schema = Schema<Sigmoid>("sigmoid", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
}

import Glibc
import MLCCore
import MLCGraph

/// `y = tanh x`, elementwise.
/// Source: MIL `tanh`, ONNX `Tanh`.
package struct Tanh: ElementwiseUnary {
  package static let schema = Schema<Tanh>("tanh", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { tanh(x) }
}

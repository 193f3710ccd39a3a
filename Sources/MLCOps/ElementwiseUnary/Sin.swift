import Glibc
import MLCCore
import MLCGraph

/// `y = sin x`, elementwise.
/// Source: MIL `sin`, ONNX `Sin`.
package struct Sin: ElementwiseUnary {
  package static let schema = Schema<Sin>("sin", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { sin(x) }
}

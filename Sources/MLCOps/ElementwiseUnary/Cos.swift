import Glibc
import MLCCore
import MLCGraph

/// `y = cos x`, elementwise.
/// Source: MIL `cos`, ONNX `Cos`.
package struct Cos: ElementwiseUnary {
  package static let schema = Schema<Cos>("cos", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { cos(x) }
}

import Glibc
import MLCCore
import MLCGraph

/// `y = cosh x`, elementwise.
/// Source: MIL `cosh`, ONNX `Cosh`.
package struct Cosh: ElementwiseUnary {
  package static let schema = Schema<Cosh>("cosh", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { cosh(x) }
}

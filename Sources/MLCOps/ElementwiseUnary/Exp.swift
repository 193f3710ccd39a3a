import Glibc
import MLCCore
import MLCGraph

/// `y = eˣ`, elementwise.
/// Source: MIL `exp`, ONNX `Exp`.
package struct Exp: ElementwiseUnary {
  package static let schema = Schema<Exp>("exp", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { exp(x) }
}

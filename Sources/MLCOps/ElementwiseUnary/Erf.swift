import Glibc
import MLCCore
import MLCGraph

/// `y = erf x`, elementwise.
/// Source: MIL `erf`, ONNX `Erf`.
package struct Erf: ElementwiseUnary {
  package static let schema = Schema<Erf>("erf", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { erf(x) }
}

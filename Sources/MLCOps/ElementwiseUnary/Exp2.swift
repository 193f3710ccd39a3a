import Glibc
import MLCCore
import MLCGraph

/// `y = 2ˣ`, elementwise.
/// Source: MIL `exp2`.
package struct Exp2: ElementwiseUnary {
  package static let schema = Schema<Exp2>("exp2", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { exp2(x) }
}

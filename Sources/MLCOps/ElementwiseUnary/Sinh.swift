import Glibc
import MLCCore
import MLCGraph

/// `y = sinh x`, elementwise.
/// Source: MIL `sinh`, ONNX `Sinh`.
package struct Sinh: ElementwiseUnary {
  package static let schema = Schema<Sinh>("sinh", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { sinh(x) }
}

import Glibc
import MLCCore
import MLCGraph

/// `y = atan x`, elementwise.
/// Source: MIL `atan`, ONNX `Atan`.
package struct Atan: ElementwiseUnary {
  package static let schema = Schema<Atan>("atan", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { atan(x) }
}

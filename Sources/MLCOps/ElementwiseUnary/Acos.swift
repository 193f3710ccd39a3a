import Glibc
import MLCCore
import MLCGraph

/// `y = acos x`, elementwise. NaN outside [−1, 1].
/// Source: MIL `acos`, ONNX `Acos`.
package struct Acos: ElementwiseUnary {
  package static let schema = Schema<Acos>("acos", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { acos(x) }
}

import Glibc
import MLCCore
import MLCGraph

/// `y = asin x`, elementwise. NaN outside [−1, 1].
/// Source: MIL `asin`, ONNX `Asin`.
package struct Asin: ElementwiseUnary {
  package static let schema = Schema<Asin>("asin", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { asin(x) }
}

import Glibc
import MLCCore
import MLCGraph

/// `y = arcosh x`, elementwise. NaN below 1.
/// Source: mlc extension, ONNX `Acosh`.
package struct Acosh: ElementwiseUnary {
  package static let schema = Schema<Acosh>("acosh", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { acosh(x) }
}

import Glibc
import MLCCore
import MLCGraph

/// `y = artanh x`, elementwise. NaN outside [−1, 1], ±∞ at its ends.
/// Source: MIL `atanh`, ONNX `Atanh`.
package struct Atanh: ElementwiseUnary {
  package static let schema = Schema<Atanh>("atanh", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { atanh(x) }
}

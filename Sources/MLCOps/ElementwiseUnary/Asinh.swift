import Glibc
import MLCCore
import MLCGraph

/// `y = arsinh x`, elementwise.
/// Source: mlc extension, ONNX `Asinh`.
package struct Asinh: ElementwiseUnary {
  package static let schema = Schema<Asinh>("asinh", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { asinh(x) }
}

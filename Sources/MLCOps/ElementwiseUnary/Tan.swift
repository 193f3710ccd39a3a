import Glibc
import MLCCore
import MLCGraph

/// `y = tan x`, elementwise.
/// Source: MIL `tan`, ONNX `Tan`.
package struct Tan: ElementwiseUnary {
  package static let schema = Schema<Tan>("tan", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { tan(x) }
}

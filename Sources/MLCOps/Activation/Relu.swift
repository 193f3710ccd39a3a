import MLCCore
import MLCGraph

/// `y = max(x, 0)`, elementwise.
/// Source: MIL `relu`, ONNX `Relu`.
package struct Relu: ElementwiseUnary {
  package static let schema = Schema<Relu>("relu", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x < 0 ? 0 : x }
  package func apply(_ x: Int, _ dtype: DType) -> Int? {
    dtype.isSigned && x < 0 ? 0 : x
  }
}

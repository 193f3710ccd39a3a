import MLCCore
import MLCGraph

/// `y = |x|`, elementwise. The least integer stays itself.
/// Source: MIL `abs`, ONNX `Abs`.
package struct Abs: ElementwiseUnary {
  package static let schema = Schema<Abs>("abs", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { Swift.abs(x) }
  package func apply(_ x: Int, _ dtype: DType) -> Int? {
    dtype.isSigned && x < 0 ? 0 &- x : x
  }
}

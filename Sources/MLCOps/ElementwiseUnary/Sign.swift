import MLCCore
import MLCGraph

/// `y = −1, 0 or 1 by the sign of x`, elementwise. ±0 and NaN stay.
/// Source: MIL `sign`, ONNX `Sign`.
package struct Sign: ElementwiseUnary {
  package static let schema = Schema<Sign>("sign", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x < 0 ? -1 : x > 0 ? 1 : x }
  package func apply(_ x: Int, _ dtype: DType) -> Int? {
    x == 0 ? 0 : dtype.isSigned && x < 0 ? -1 : 1
  }
}

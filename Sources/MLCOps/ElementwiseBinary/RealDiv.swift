import MLCCore
import MLCGraph

/// `z = x / y`, broadcast; `x / 0` is ±∞, `0 / 0` NaN. Integers divide rounding toward zero, by zero to 0 (mlc
/// extension: what ONNX says of them; MIL leaves it open). Source: MIL `real_div`, ONNX `Div`.
package struct RealDiv: ElementwiseBinary {
  package static let schema = Schema<RealDiv>("real_div", clauses())
  package init() {}

  package func apply(_ x: Double, _ y: Double) -> Double { x / y }
  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int {
    if y == 0 { return 0 }
    if dtype == .uint64 { return Int(bitPattern: UInt(bitPattern: x) / UInt(bitPattern: y)) }
    return x.dividedReportingOverflow(by: y).partialValue
  }
  package func apply(_ x: Dim, _ y: Dim) -> Dim? { x.truncatingDiv(y) }
  package func apply(_ x: Ratio, _ y: Ratio) -> Ratio? { y.isPositive ? x / y : nil }
}

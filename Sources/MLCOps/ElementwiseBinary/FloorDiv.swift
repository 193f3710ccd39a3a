import MLCCore
import MLCGraph

/// `z = ⌊x / y⌋`, broadcast. Floats by 0 give ±∞ or NaN, integers 0.
/// Source: MIL `floor_div`.
package struct FloorDiv: ElementwiseBinary {
  package static let schema = Schema<FloorDiv>("floor_div", clauses())
  package init() {}

  package func apply(_ x: Double, _ y: Double) -> Double { (x / y).rounded(.down) }
  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int {
    if y == 0 { return 0 }
    if dtype == .uint64 { return Int(bitPattern: UInt(bitPattern: x) / UInt(bitPattern: y)) }
    let (quotient, overflow) = x.dividedReportingOverflow(by: y)
    return !overflow && quotient * y != x && (x < 0) != (y < 0) ? quotient - 1 : quotient
  }
  package func apply(_ x: Dim, _ y: Dim) -> Dim? {
    guard let divisor = y.lowerBound, divisor > 0 else { return nil }
    return x.floorDiv(y)
  }
}

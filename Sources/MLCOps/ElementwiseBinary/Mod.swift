import Glibc
import MLCCore
import MLCGraph

/// `z = x − y·⌊x / y⌋`, broadcast: the remainder with the sign of y; with `truncate` (mlc extension) `x − y·trunc(x /
/// y)`, that with the sign of x, as C's fmod. A float remainder of 0 has that sign too. Floats by 0 give NaN, integers
/// 0. Source: MIL `mod`, ONNX `Mod`.
package struct Mod: ElementwiseBinary {
  package var truncate = false

  package static let schema = Schema<Mod>("mod", clauses() + [.attribute("truncate", \.truncate)])
  package init() {}

  package func apply(_ x: Double, _ y: Double) -> Double {
    let remainder = fmod(x, y)
    if truncate { return remainder }
    if remainder == 0 { return copysign(0, y) }
    return (remainder < 0) != (y < 0) ? remainder + y : remainder
  }
  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int {
    if y == 0 { return 0 }
    if dtype == .uint64 { return Int(bitPattern: UInt(bitPattern: x) % UInt(bitPattern: y)) }
    let remainder = x.remainderReportingOverflow(dividingBy: y).partialValue
    return !truncate && remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder
  }
  package func apply(_ x: Dim, _ y: Dim) -> Dim? {
    guard let divisor = y.lowerBound, divisor > 0, !truncate || (x.lowerBound ?? -1) >= 0 else { return nil }
    return x.mod(y)
  }
}

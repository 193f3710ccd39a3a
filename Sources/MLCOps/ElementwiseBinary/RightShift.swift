import MLCCore
import MLCGraph

/// `z = ⌊x / 2ʸ⌋` on integers, broadcast: bits that leave the type are lost, the sign fills in. Shifts that are
/// negative or as wide as the type leave the sign alone: −1 for negative x, else 0. Source: mlc extension, ONNX
/// `BitShift` with direction RIGHT.
package struct RightShift: BitwiseBinary {
  package static let schema = Schema<RightShift>("right_shift", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { dtype.isInteger }

  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int {
    let isWithin = y >= 0 && y < dtype.bitWidth
    if dtype.isSigned { return isWithin ? x >> y : (x < 0 ? -1 : 0) }
    return isWithin ? Int(bitPattern: UInt(bitPattern: x) >> UInt(y)) : 0
  }
}

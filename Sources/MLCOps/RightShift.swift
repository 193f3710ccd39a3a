import MLCCore
import MLCGraph

/// `z = ⌊x / 2ʸ⌋` on unsigned integers, broadcast, bits that leave the type lost; 0 for shifts as wide as the type.
/// Source: mlc extension, ONNX `BitShift` with direction RIGHT.
package struct RightShift: BitwiseBinary {
  package static let schema = Schema<RightShift>("right_shift", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { dtype.isInteger && !dtype.isSigned }

  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int {
    Int(truncatingIfNeeded: UInt(bitPattern: x) >> UInt(bitPattern: y))
  }
}

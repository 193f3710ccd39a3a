import MLCCore
import MLCGraph

/// `z = x · 2ʸ` on integers, broadcast, bits that leave the type lost; 0 for shifts that are negative or as wide as the
/// type. Source: mlc extension, ONNX `BitShift` with direction LEFT.
package struct LeftShift: BitwiseBinary {
  package static let schema = Schema<LeftShift>("left_shift", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { dtype.isInteger }

  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int {
    y >= 0 && y < dtype.bitWidth ? x << y : 0
  }
}

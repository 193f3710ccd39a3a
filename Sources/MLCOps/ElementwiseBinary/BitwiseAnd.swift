import MLCCore
import MLCGraph

/// `z = x ∧ y` on each bit, `z: T`, broadcast.
/// Source: mlc extension, ONNX `BitwiseAnd`.
package struct BitwiseAnd: BitwiseBinary {
  package static let schema = Schema<BitwiseAnd>("bitwise_and", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { dtype.isInteger }

  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int { x & y }
}

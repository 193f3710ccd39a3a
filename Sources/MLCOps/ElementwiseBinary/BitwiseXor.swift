import MLCCore
import MLCGraph

/// `z = x ⊕ y` on each bit, `z: T`, broadcast.
/// Source: mlc extension, ONNX `BitwiseXor`.
package struct BitwiseXor: BitwiseBinary {
  package static let schema = Schema<BitwiseXor>("bitwise_xor", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { dtype.isInteger }

  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int { x ^ y }
}

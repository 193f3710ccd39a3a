import MLCCore
import MLCGraph

/// `z = x ⊕ y`, broadcast.
/// Source: MIL `logical_xor`, ONNX `Xor`.
package struct LogicalXor: BitwiseBinary {
  package static let schema = Schema<LogicalXor>("logical_xor", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { dtype == .bool }

  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int { x ^ y }
}

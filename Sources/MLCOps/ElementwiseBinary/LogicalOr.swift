import MLCCore
import MLCGraph

/// `z = x ∨ y`, broadcast.
/// Source: MIL `logical_or`, ONNX `Or`.
package struct LogicalOr: BitwiseBinary {
  package static let schema = Schema<LogicalOr>("logical_or", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { dtype == .bool }

  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int { x | y }
}

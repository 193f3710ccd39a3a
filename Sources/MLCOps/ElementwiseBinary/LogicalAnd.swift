import MLCCore
import MLCGraph

/// `z = x ∧ y`, broadcast.
/// Source: MIL `logical_and`, ONNX `And`.
package struct LogicalAnd: BitwiseBinary {
  package static let schema = Schema<LogicalAnd>("logical_and", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { dtype == .bool }

  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int { x & y }
}

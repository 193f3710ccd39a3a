import MLCCore
import MLCGraph

/// `z = x ≠ y`, broadcast, as truth values.
/// Source: MIL `not_equal`.
package struct NotEqual: Comparison {
  package static let schema = Schema<NotEqual>("not_equal", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { true }

  package func holds(_ x: Double, _ y: Double) -> Bool { x != y }
  package func holds(_ x: Int, _ y: Int, _ dtype: DType) -> Bool { x != y }
  package func holds(_ x: Dim, _ y: Dim) -> Bool? { x.isEqual(to: y).map { !$0 } }
  package func indicator(_ x: Dim, _ y: Dim) -> Dim { x.differsIndicator(y) }
}

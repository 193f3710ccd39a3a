import MLCCore
import MLCGraph

/// `z = x ≥ y`, broadcast, as truth values.
/// Source: MIL `greater_equal`, ONNX `GreaterOrEqual`.
package struct GreaterEqual: Comparison {
  package static let schema = Schema<GreaterEqual>("greater_equal", clauses())
  package init() {}

  package func holds(_ x: Double, _ y: Double) -> Bool { x >= y }
  package func holds(_ x: Int, _ y: Int, _ dtype: DType) -> Bool { !dtype.isLess(x, y) }
  package func holds(_ x: Dim, _ y: Dim) -> Bool? { x.isLess(than: y).map { !$0 } }
  package func indicator(_ x: Dim, _ y: Dim) -> Dim { 1 - x.isLessIndicator(y) }
}

import MLCCore
import MLCGraph

/// `z = x ≤ y`, broadcast, as truth values.
/// Source: MIL `less_equal`, ONNX `LessOrEqual`.
package struct LessEqual: Comparison {
  package static let schema = Schema<LessEqual>("less_equal", clauses())
  package init() {}

  package func holds(_ x: Double, _ y: Double) -> Bool { x <= y }
  package func holds(_ x: Int, _ y: Int, _ dtype: DType) -> Bool { !dtype.isLess(y, x) }
  package func holds(_ x: Dim, _ y: Dim) -> Bool? { y.isLess(than: x).map { !$0 } }
  package func indicator(_ x: Dim, _ y: Dim) -> Dim { 1 - y.isLessIndicator(x) }
}

import MLCCore
import MLCGraph

/// `z = x > y`, broadcast, as truth values.
/// Source: MIL `greater`, ONNX `Greater`.
package struct Greater: Comparison {
  package static let schema = Schema<Greater>("greater", clauses())
  package init() {}

  package func holds(_ x: Double, _ y: Double) -> Bool { x > y }
  package func holds(_ x: Int, _ y: Int, _ dtype: DType) -> Bool { dtype.isLess(y, x) }
  package func holds(_ x: Dim, _ y: Dim) -> Bool? { y.isLess(than: x) }
  package func indicator(_ x: Dim, _ y: Dim) -> Dim { y.isLessIndicator(x) }
}

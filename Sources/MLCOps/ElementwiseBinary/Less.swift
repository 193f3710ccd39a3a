import MLCCore
import MLCGraph

/// `z = x < y`, broadcast, as truth values.
/// Source: MIL `less`, ONNX `Less`.
package struct Less: Comparison {
  package static let schema = Schema<Less>("less", clauses())
  package init() {}

  package func holds(_ x: Double, _ y: Double) -> Bool { x < y }
  package func holds(_ x: Int, _ y: Int, _ dtype: DType) -> Bool { dtype.isLess(x, y) }
  package func holds(_ x: Dim, _ y: Dim) -> Bool? { x.isLess(than: y) }
  package func indicator(_ x: Dim, _ y: Dim) -> Dim { x.isLessIndicator(y) }
}

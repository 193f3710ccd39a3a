import MLCCore
import MLCGraph

/// `z = x = y`, broadcast, as truth values.
/// Source: MIL `equal`, ONNX `Equal`.
package struct Equal: Comparison {
  package static let schema = Schema<Equal>("equal", clauses())
  package init() {}
  package static func takes(_ dtype: DType) -> Bool { true }

  package func holds(_ x: Double, _ y: Double) -> Bool { x == y }
  package func holds(_ x: Int, _ y: Int, _ dtype: DType) -> Bool { x == y }
  package func holds(_ x: Dim, _ y: Dim) -> Bool? { x.isEqual(to: y) }
  package func indicator(_ x: Dim, _ y: Dim) -> Dim { 1 - x.differsIndicator(y) }
}

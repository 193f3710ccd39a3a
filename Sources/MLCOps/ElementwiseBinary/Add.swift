import MLCCore
import MLCGraph

/// `z = x + y`, broadcast.
/// Source: MIL `add`, ONNX `Add`.
package struct Add: ElementwiseBinary {
  package static let schema = Schema<Add>("add", clauses())
  package init() {}

  package func apply(_ x: Double, _ y: Double) -> Double { x + y }
  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int { x &+ y }
  package func apply(_ x: Dim, _ y: Dim) -> Dim? { x + y }
  package func apply(_ x: Ratio, _ y: Ratio) -> Ratio? { x + y }
}

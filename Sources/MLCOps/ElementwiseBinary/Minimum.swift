import MLCCore
import MLCGraph

/// `z = min(x, y)`, broadcast. NaN on either side gives NaN.
/// Source: MIL `minimum`, ONNX `Min`.
package struct Minimum: ElementwiseBinary {
  package static let schema = Schema<Minimum>("minimum", clauses())
  package init() {}

  package func apply(_ x: Double, _ y: Double) -> Double {
    x.isNaN || x < y ? x : y
  }
  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int { dtype.isLess(y, x) ? y : x }
  package func apply(_ x: Dim, _ y: Dim) -> Dim? { Dim.min(x, y) }
  package func apply(_ x: Ratio, _ y: Ratio) -> Ratio? { x.min(y) }
}

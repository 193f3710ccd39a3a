import MLCCore
import MLCGraph

/// `z = max(x, y)`, broadcast. NaN on either side gives NaN.
/// Source: MIL `maximum`, ONNX `Max`.
package struct Maximum: ElementwiseBinary {
  package static let schema = Schema<Maximum>("maximum", clauses())
  package init() {}

  package func apply(_ x: Double, _ y: Double) -> Double {
    x.isNaN || x > y ? x : y
  }
  package func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int { dtype.isLess(x, y) ? y : x }
  package func apply(_ x: Dim, _ y: Dim) -> Dim? { Dim.max(x, y) }
  package func apply(_ x: Ratio, _ y: Ratio) -> Ratio? { x.max(y) }
}

import MLCCore
import MLCGraph

/// `y = −x`, elementwise. The least integer stays itself.
/// Source: mlc extension, ONNX `Neg`.
package struct Neg: ElementwiseUnary {
  package static let schema = Schema<Neg>("neg", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { -x }
  package func apply(_ x: Int, _ dtype: DType) -> Int? { 0 &- x }
  package func apply(_ x: Dim) -> Dim? { -x }
  package func apply(_ x: Ratio) -> Ratio? { -x }
}

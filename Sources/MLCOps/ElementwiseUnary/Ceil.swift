import MLCCore
import MLCGraph

/// `y = ⌈x⌉`, elementwise. Integers stay.
/// Source: MIL `ceil`, ONNX `Ceil`.
package struct Ceil: ElementwiseUnary {
  package static let schema = Schema<Ceil>("ceil", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x.rounded(.up) }
  package func apply(_ x: Int, _ dtype: DType) -> Int? { x }
  package func apply(_ x: Dim) -> Dim? { x }
  package func apply(_ x: Ratio) -> Ratio? { x.ceil }
}

import MLCCore
import MLCGraph

/// `y = the nearest whole number to x, halves to even`, elementwise. Integers stay.
/// Source: MIL `round`, ONNX `Round`.
package struct Round: ElementwiseUnary {
  package static let schema = Schema<Round>("round", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x.rounded(.toNearestOrEven) }
  package func apply(_ x: Int, _ dtype: DType) -> Int? { x }
  package func apply(_ x: Dim) -> Dim? { x }
  package func apply(_ x: Ratio) -> Ratio? { x.nearest }
}

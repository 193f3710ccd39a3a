import MLCCore
import MLCGraph

/// `y = ⌊x⌋`, elementwise. Integers stay.
/// Source: MIL `floor`, ONNX `Floor`.
package struct Floor: ElementwiseUnary {
  package static let schema = Schema<Floor>("floor", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x.rounded(.down) }
  package func apply(_ x: Int, _ dtype: DType) -> Int? { x }
  package func apply(_ x: Dim) -> Dim? { x }
  package func apply(_ x: Ratio) -> Ratio? { x.floor }
}

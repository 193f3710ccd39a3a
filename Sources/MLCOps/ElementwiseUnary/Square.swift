import MLCCore
import MLCGraph

/// `y = x²`, elementwise.
/// Source: MIL `square`.
package struct Square: ElementwiseUnary {
  package static let schema = Schema<Square>("square", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x * x }
  package func apply(_ x: Int, _ dtype: DType) -> Int? { x &* x }
  package func apply(_ x: Dim) -> Dim? { x * x }
}

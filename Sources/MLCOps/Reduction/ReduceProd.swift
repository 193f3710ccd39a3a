import MLCCore
import MLCGraph

/// `y = Π x` over `axes`; 1 over no elements. NaN spreads.
/// Source: MIL `reduce_prod`, ONNX `ReduceProd`.
package struct ReduceProd: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceProd>("reduce_prod", clauses())
  package init() {}

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double { row.reduce(1, *) }
  package func reduce(_ row: UnsafeBufferPointer<Int>, _ dtype: DType) -> Int? { row.reduce(1, &*) }
  package func reduce(_ row: [Dim]) -> Dim? { row.reduce(1, *) }
}

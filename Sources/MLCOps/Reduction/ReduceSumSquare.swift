import MLCCore
import MLCGraph

/// `y = Σ x²` over `axes`; 0 over no elements. NaN spreads.
/// Source: MIL `reduce_sum_square`, ONNX `ReduceSumSquare`.
package struct ReduceSumSquare: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceSumSquare>("reduce_sum_square", clauses())
  package init() {}

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double { row.reduce(0) { $0 + $1 * $1 } }
  package func reduce(_ row: UnsafeBufferPointer<Int>, _ dtype: DType) -> Int? { row.reduce(0) { $0 &+ $1 &* $1 } }
}

import MLCCore
import MLCGraph

/// `y = Σ x` over `axes`; 0 over no elements. NaN spreads.
/// Source: MIL `reduce_sum`, ONNX `ReduceSum`.
package struct ReduceSum: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceSum>("reduce_sum", clauses())
  package init() {}

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double { row.reduce(0, +) }
  package func reduce(_ row: UnsafeBufferPointer<Int>, _ dtype: DType) -> Int? { row.reduce(0, &+) }
  package func reduce(_ row: [Dim]) -> Dim? { row.reduce(0, +) }
}

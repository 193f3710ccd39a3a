import MLCCore
import MLCGraph

/// `y = Σ |x|` over `axes`; 0 over no elements. NaN spreads.
/// Source: MIL `reduce_l1_norm`, ONNX `ReduceL1`.
package struct ReduceL1Norm: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceL1Norm>("reduce_l1_norm", clauses())
  package init() {}

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double { row.reduce(0) { $0 + abs($1) } }
  package func reduce(_ row: UnsafeBufferPointer<Int>, _ dtype: DType) -> Int? {
    row.reduce(0) { $0 &+ (dtype.isSigned && $1 < 0 ? 0 &- $1 : $1) }
  }
}

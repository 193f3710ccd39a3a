import MLCCore
import MLCGraph

/// `y = √(Σ x²)` over `axes`; 0 over no elements; integer results truncate. NaN spreads.
/// Source: MIL `reduce_l2_norm`, ONNX `ReduceL2`.
package struct ReduceL2Norm: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceL2Norm>("reduce_l2_norm", clauses())
  package init() {}

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double { row.reduce(0) { $0 + $1 * $1 }.squareRoot() }
}

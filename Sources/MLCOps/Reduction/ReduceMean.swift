import MLCCore
import MLCGraph

/// `y = (Σ x) / n` over `axes`; NaN over no elements, for integers 0; integer means truncate. NaN spreads.
/// Source: MIL `reduce_mean`, ONNX `ReduceMean`.
package struct ReduceMean: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceMean>("reduce_mean", clauses())
  package init() {}

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double { row.reduce(0, +) / Double(row.count) }
}

import Glibc
import MLCCore
import MLCGraph

/// `y = ln Σ x` over `axes`; −∞ over no elements, NaN below zero; integer results truncate.
/// Source: MIL `reduce_log_sum`, ONNX `ReduceLogSum`.
package struct ReduceLogSum: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceLogSum>("reduce_log_sum", clauses())
  package init() {}

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double { log(row.reduce(0, +)) }
}

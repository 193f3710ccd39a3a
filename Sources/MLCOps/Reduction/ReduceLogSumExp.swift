import Glibc
import MLCCore
import MLCGraph

/// `y = ln Σ eˣ` over `axes`, computed from the row maximum m as `m + ln Σ eˣ⁻ᵐ`; −∞ over no elements, +∞ beside +∞.
/// NaN spreads; integer results truncate.
/// Source: MIL `reduce_log_sum_exp`, ONNX `ReduceLogSumExp`.
package struct ReduceLogSumExp: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceLogSumExp>("reduce_log_sum_exp", clauses())
  package init() {}

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double {
    let m = row.reduce(-.infinity) { $0.isNaN || $0 > $1 ? $0 : $1 }
    return m.isInfinite || m.isNaN ? m : m + log(row.reduce(0) { $0 + exp($1 - m) })
  }
}

import MLCOps

/// ONNX `ReduceLogSumExp` → `reduce_log_sum_exp`.
package enum ONNXReduceLogSumExp: ONNXReduction {
  package typealias Op = ReduceLogSumExp
  package static let types = ["ReduceLogSumExp"]
}

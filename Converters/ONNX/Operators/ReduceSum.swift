import MLCOps

/// ONNX `ReduceSum` → `reduce_sum`.
package enum ONNXReduceSum: ONNXReduction {
  package typealias Op = ReduceSum
  package static let types = ["ReduceSum"]
}

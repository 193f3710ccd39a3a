import MLCOps

/// ONNX `ReduceMax` → `reduce_max`.
package enum ONNXReduceMax: ONNXReduction {
  package typealias Op = ReduceMax
  package static let types = ["ReduceMax"]
}

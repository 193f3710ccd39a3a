import MLCOps

/// ONNX `ReduceMin` → `reduce_min`.
package enum ONNXReduceMin: ONNXReduction {
  package typealias Op = ReduceMin
  package static let types = ["ReduceMin"]
}

import MLCOps

/// ONNX `ReduceMean` → `reduce_mean`.
package enum ONNXReduceMean: ONNXReduction {
  package typealias Op = ReduceMean
  package static let types = ["ReduceMean"]
}

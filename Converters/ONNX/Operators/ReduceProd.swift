import MLCOps

/// ONNX `ReduceProd` → `reduce_prod`.
package enum ONNXReduceProd: ONNXReduction {
  package typealias Op = ReduceProd
  package static let types = ["ReduceProd"]
}

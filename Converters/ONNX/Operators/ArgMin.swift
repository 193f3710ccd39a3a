import MLCOps

/// ONNX `ArgMin` → `reduce_argmin`.
package enum ONNXArgMin: ONNXArgReduction {
  package typealias Op = ReduceArgmin
  package static let types = ["ArgMin"]
}

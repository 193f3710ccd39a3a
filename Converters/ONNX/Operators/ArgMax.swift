import MLCOps

/// ONNX `ArgMax` → `reduce_argmax`.
package enum ONNXArgMax: ONNXArgReduction {
  package typealias Op = ReduceArgmax
  package static let types = ["ArgMax"]
}

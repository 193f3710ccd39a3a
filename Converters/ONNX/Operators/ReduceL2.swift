import MLCGraph
import MLCOps

/// ONNX `ReduceL2` → `reduce_l2_norm`.
package enum ONNXReduceL2: ONNXReduction {
  package typealias Op = ReduceL2Norm
  package static let types = ["ReduceL2"]
  package static var elementwise: [any Operator] { [Abs()] }
}

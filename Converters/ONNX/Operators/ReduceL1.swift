import MLCGraph
import MLCOps

/// ONNX `ReduceL1` → `reduce_l1_norm`.
package enum ONNXReduceL1: ONNXReduction {
  package typealias Op = ReduceL1Norm
  package static let types = ["ReduceL1"]
  package static var elementwise: [any Operator] { [Abs()] }
}

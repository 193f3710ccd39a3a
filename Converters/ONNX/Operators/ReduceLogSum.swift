import MLCGraph
import MLCOps

/// ONNX `ReduceLogSum` → `reduce_log_sum`.
package enum ONNXReduceLogSum: ONNXReduction {
  package typealias Op = ReduceLogSum
  package static let types = ["ReduceLogSum"]
  package static var elementwise: [any Operator] { [Log()] }
}

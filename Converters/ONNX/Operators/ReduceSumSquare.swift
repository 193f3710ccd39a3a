import MLCGraph
import MLCOps

/// ONNX `ReduceSumSquare` → `reduce_sum_square`.
package enum ONNXReduceSumSquare: ONNXReduction {
  package typealias Op = ReduceSumSquare
  package static let types = ["ReduceSumSquare"]
  package static var elementwise: [any Operator] { [Square()] }
}

import MLCGraph
import MLCOps

/// ONNX `Min` → a chain of `minimum`.
package enum ONNXMin: ONNXVariadic {
  package static let types = ["Min"]
  package static let op: any Operator = Minimum()
}

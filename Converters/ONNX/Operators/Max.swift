import MLCGraph
import MLCOps

/// ONNX `Max` → a chain of `maximum`.
package enum ONNXMax: ONNXVariadic {
  package static let types = ["Max"]
  package static let op: any Operator = Maximum()
}

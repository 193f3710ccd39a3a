import MLCGraph
import MLCOps

/// ONNX `Sum` → a chain of `add`.
package enum ONNXSum: ONNXVariadic {
  package static let types = ["Sum"]
  package static let op: any Operator = Add()
}

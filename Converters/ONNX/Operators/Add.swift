import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Add` → `add`.
package enum ONNXAdd: ONNXElementwise {
  package static let types = ["Add"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Add() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Asin` → `asin`.
package enum ONNXAsin: ONNXElementwise {
  package static let types = ["Asin"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Asin() }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Softsign` → `softsign`.
package enum ONNXSoftsign: ONNXElementwise {
  package static let types = ["Softsign"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator { Softsign() }
}

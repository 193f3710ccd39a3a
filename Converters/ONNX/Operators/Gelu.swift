import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Gelu` → `gelu`.
package enum ONNXGelu: ONNXOperator {
  package static let types = ["Gelu"]
  package static var sinceOpset: Int { 20 }
  package static var operation: String? { "gelu" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let mode: String
    switch try node.string("approximate", default: "none") {
    case "none": mode = "EXACT"
    case "tanh": mode = "TANH_APPROXIMATION"
    case let other: throw Diagnostic("onnx.gelu", "approximate is '\(other)'")
    }
    return [try context.emit(Gelu(mode: mode), try context.required(0))]
  }
}

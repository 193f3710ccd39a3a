import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Squeeze` → `squeeze`. Until version 13 `axes` is an attribute.
package enum ONNXSqueeze: ONNXOperator {
  package static let types = ["Squeeze"]
  package static var operation: String? { "squeeze" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let axes = try context.integers("axes", of: node, input: 1) ?? []
    return [try context.emit(Squeeze(axes), try context.required(0))]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Unsqueeze` → `expand_dims`. Until version 13 `axes` is an attribute.
package enum ONNXUnsqueeze: ONNXOperator {
  package static let types = ["Unsqueeze"]
  package static var operation: String? { "expand_dims" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let axes = try context.integers("axes", of: node, input: 1) ?? []
    return [try context.emit(ExpandDims(axes), try context.required(0))]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Squeeze` → `squeeze`. Until version 13 `axes` is an attribute. Without axes those go whose extent is 1: of
/// open extents the importer makes a branch (`addOpenSqueeze`), and where that cannot be they stay.
package enum ONNXSqueeze: ONNXOperator {
  package static let types = ["Squeeze"]
  package static var operation: String? { "squeeze" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let shape = context.fact(x).shape
    let given = try context.integers("axes", of: node, input: 1) ?? []
    let axes = given.isEmpty ? shape.indices.filter { shape[$0] == 1 } : given
    return [try context.emit(axes.isEmpty ? Identity() : Squeeze(axes), x)]
  }
}

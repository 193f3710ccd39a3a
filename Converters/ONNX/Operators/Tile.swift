import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Tile` → `tile`.
package enum ONNXTile: ONNXOperator {
  package static let types = ["Tile"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    [try context.emit(Tile(), try context.required(0), try context.required(1))]
  }
}

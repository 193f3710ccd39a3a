import MLCCore
import MLCGraph
import MLCOps

/// ONNX `SpaceToDepth` → `space_to_depth`.
package enum ONNXSpaceToDepth: ONNXOperator {
  package static let types = ["SpaceToDepth"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let block = try node.int("blocksize") else { throw Diagnostic("onnx.space-to-depth", "blocksize is missing") }
    return [try context.emit(SpaceToDepth(block: block), try context.required(0))]
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// ONNX `If` → `cond`, for sides that give values of equal types and ranks. `ONNXImporter.addBranch` does the rest.
package enum ONNXIf: ONNXOperator {
  package static let types = ["If"]
  package static var operation: String? { "cond" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let bodies = try node.bodies()
    let pred = try context.required(0)
    let blocks = [try context.block(bodies[0]), try context.block(bodies[1])]
    return try context.emit(Cond(), all: [[pred]], blocks: blocks)
  }
}

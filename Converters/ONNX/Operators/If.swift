import MLCCore
import MLCGraph
import MLCOps

/// ONNX `If` → `cond`.
package enum ONNXIf: ONNXOperator {
  package static let types = ["If"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let yes = try node.graph("then_branch"), let no = try node.graph("else_branch") else {
      throw Diagnostic("onnx.if", "a branch is missing")
    }
    let pred = try context.required(0)
    let blocks = [try context.block(yes), try context.block(no)]
    return try context.emit(Cond(), all: [[pred]], blocks: blocks)
  }
}

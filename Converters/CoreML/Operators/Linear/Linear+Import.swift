import MLCCore
import MLCGraph
import MLCOps

/// `einsum`, as products of matrices.
func importEinsum(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  guard let equation = try node.text("equation") else { throw Diagnostic("coreml.parameter", "'equation' is missing") }
  return [try context.einsum(equation, try context.values(node, "values"))]
}

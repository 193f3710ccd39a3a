import MLCCore
import MLCGraph
import MLCOps

/// `max(x, alpha)`
func importThreshold(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  return try context.append(node, Maximum(), [x, context.scalar(node, try node.number("alpha") ?? 0, like: x)])
}

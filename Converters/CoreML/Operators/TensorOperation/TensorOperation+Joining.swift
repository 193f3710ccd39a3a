import Foundation
import MLCCore
import MLCGraph
import MLCOps

/// A `concat` that does not interleave.
func importConcat(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  guard try !node.flag("interleave") else {
    throw Diagnostic("coreml.parameter", "concat with 'interleave' is not supported", kind: .unsupported)
  }
  let values = try context.values(node, "values")
  guard let axis = try node.integer("axis") else { throw Diagnostic("coreml.parameter", "'axis' is missing") }
  return try context.builder.append(
    Concat(axis: axis),
    [values],
    names: node.outputs.map(\.name),
    origin: node.origin
  )
}

/// Each value with a new axis, joined along it.
func importStack(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let axis = try node.integer("axis") ?? 0
  var pieces: [ValueID] = []
  for value in try context.values(node, "values") {
    pieces.append(try context.append(node, ExpandDims([axis]), [value], last: false)[0])
  }
  return try context.builder.append(
    Concat(axis: axis),
    [pieces],
    names: node.outputs.map(\.name),
    origin: node.origin
  )
}

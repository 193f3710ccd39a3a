import Foundation
import MLCCore
import MLCGraph
import MLCOps

/// Side by side, or with `interleave` an element of each in turn. Of scalars a vector is made.
func importConcat(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  var values = try context.values(node, "values")
  for place in values.indices where context.fact(values[place]).rank == 0 {
    values[place] = try context.append(node, ExpandDims([0]), [values[place]], last: false)[0]
  }
  guard let axis = try node.integer("axis") else { throw Diagnostic("coreml.parameter", "'axis' is missing") }
  if try node.flag("interleave"), let first = values.first {
    let rank = context.fact(first).rank
    let place = axis < 0 ? axis + rank : axis
    guard (0..<rank).contains(place), values.allSatisfy({ context.fact($0).shape == context.fact(first).shape }) else {
      throw Diagnostic("coreml.parameter", "values of different shapes are interleaved along axis \(axis)")
    }
    return [try context.interleaved(values, axis: place)]
  }
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

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

/// Two operands: shared letters that stay are batch axes, shared letters that go are summed. A product of matrices between
/// transpositions and reshapes, so all shapes must be fixed.
func importEinsum(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let values = try context.values(node, "values")
  let sides = (try node.text("equation") ?? "").filter { $0 != " " }.components(separatedBy: "->")
  let terms = sides[0].split(separator: ",").map { Array($0) }
  guard sides.count == 2, terms.count == 2, values.count == 2,
    let a = context.builder.fact(values[0]).type.staticShape, let b = context.builder.fact(values[1]).type.staticShape,
    terms[0].count == a.count, terms[1].count == b.count, Set(terms[0]).count == a.count, Set(terms[1]).count == b.count
  else { throw Diagnostic("coreml.parameter", "einsum '\(sides.joined(separator: "->"))' is not supported", kind: .unsupported) }
  let result = Array(sides[1])
  var extents: [Character: Int] = [:]
  for (letter, extent) in zip(terms[0] + terms[1], a + b) { extents[letter] = extent }
  let batch = result.filter { terms[0].contains($0) && terms[1].contains($0) }
  let summed = terms[0].filter { terms[1].contains($0) && !result.contains($0) }
  let rows = terms[0].filter { !terms[1].contains($0) }
  let columns = terms[1].filter { !terms[0].contains($0) }
  guard Set(result) == Set(batch + rows + columns), result.count == Set(result).count,
    zip(terms[0] + terms[1], a + b).allSatisfy({ extents[$0] == $1 })
  else { throw Diagnostic("coreml.parameter", "einsum '\(sides.joined(separator: "->"))' is not supported", kind: .unsupported) }
  func size(_ letters: [Character]) -> Int { letters.map { extents[$0]! }.reduce(1, *) }
  func arranged(_ value: ValueID, _ term: [Character], _ order: [Character], _ shape: [Int]) throws(Diagnostic) -> ValueID {
    let perm = order.map { term.firstIndex(of: $0)! }
    let moved = try context.append(node, Transpose(perm), [value], last: false)[0]
    return try context.append(node, Reshape(), [moved, context.list(node, shape)], last: false)[0]
  }
  let x = try arranged(values[0], terms[0], batch + rows + summed, batch.map { extents[$0]! } + [size(rows), size(summed)])
  let y = try arranged(
    values[1],
    terms[1],
    batch + summed + columns,
    batch.map { extents[$0]! } + [size(summed), size(columns)]
  )
  let product = try context.append(node, MatMul(), [x, y], last: false)[0]
  let order = batch + rows + columns
  let whole = try context.append(node, Reshape(), [product, context.list(node, order.map { extents[$0]! })], last: false)[0]
  return try context.append(node, Transpose(result.map { order.firstIndex(of: $0)! }), [whole])
}

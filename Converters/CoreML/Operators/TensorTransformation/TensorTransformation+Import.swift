import MLCCore
import MLCGraph
import MLCOps

/// `size` elements of each axis from `begin` on; a size of −1 takes what is left.
func importSliceBySize(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let (begin, size) = (try context.value(node, "begin"), try context.value(node, "size"))
  let rank = context.fact(x).rank
  for list in [begin, size] {
    let fact = context.fact(list)
    guard fact.dtype.isInteger, fact.rank == 1, fact.shape[0] == Dim(rank) else {
      throw Diagnostic("coreml.parameter", "begin and size need one integer per axis")
    }
  }
  var y = x
  for axis in 0..<rank { y = try part(y, axis, begin, size, &context) }
  return [y == x ? try context.apply(Identity(), x) : y]
}

private func part(
  _ x: ValueID,
  _ axis: Int,
  _ begin: ValueID,
  _ size: ValueID,
  _ context: inout MILContext
) throws(Diagnostic) -> ValueID {
  let start = context.fact(begin).elements?[axis].constant
  let count = context.fact(size).elements?[axis].constant
  if let start, let count {
    let isOpen = count == -1 || start < 0 && start &+ count == 0
    if start == 0, isOpen { return x }
    return try context.slice(x, axis: axis, from: start, to: isOpen ? nil : start &+ count)
  }
  var first = try context.converted(try context.element(axis, of: begin, axis: 0), to: .int64)
  let extent = try context.extent(of: x, axis: axis)
  let isBehind = try context.apply(Less(), first, context.scalar(0, like: first))
  first = try context.apply(Select(), isBehind, try context.apply(Add(), first, extent), first)
  if let count, (0...1 << 24).contains(count) {
    let places = try context.apply(Add(), context.constant(.shape(Array(0..<count)), "within"), first)
    return try context.apply(Gather(axis: axis), x, places)
  }
  let given = try context.converted(try context.element(axis, of: size, axis: 0), to: .int64)
  let isOpen = try context.apply(Less(), given, context.scalar(0, like: given))
  let end = try context.apply(Select(), isOpen, extent, try context.apply(Add(), first, given))
  let places = try context.apply(Range1D(), end, first, context.scalar(1, like: end))
  return try context.apply(Gather(axis: axis), x, places)
}

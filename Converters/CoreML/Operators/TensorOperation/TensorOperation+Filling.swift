import MLCCore
import MLCGraph
import MLCOps

/// One number in the shape of another tensor.
func importFillLike(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let shape = try context.apply(Shape(dtype: .int32), try context.value(node, "ref_tensor"))
  let value = try node.constant("value") ?? .scalar(.float32, 0)
  guard value.count == 1 else { throw Diagnostic("coreml.parameter", "'value' is \(value.type)") }
  return [try context.apply(Fill(), shape, context.constant(value.reshaped([]), "value"))]
}

/// 0.0 where no value is said.
func importFill(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let value = try node.constant("value") ?? .scalar(.float32, 0)
  guard value.count == 1 else { throw Diagnostic("coreml.parameter", "'value' is \(value.type)") }
  return [try context.apply(Fill(), try context.value(node, "shape"), context.constant(value.reshaped([]), "value"))]
}

/// The axes before `axis` as one, and the others.
func importFlatten2D(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let shape = context.fact(x).shape
  let axis = try node.integer("axis") ?? 1
  let place = axis < 0 ? axis + shape.count : axis
  guard (0...shape.count).contains(place) else {
    throw Diagnostic("coreml.parameter", "axis \(axis) of \(context.fact(x).type)")
  }
  let (rows, columns) = (shape[..<place].reduce(1) { $0 * $1 }, shape[place...].reduce(1) { $0 * $1 })
  return [try context.reshape(x, [rows, columns])]
}

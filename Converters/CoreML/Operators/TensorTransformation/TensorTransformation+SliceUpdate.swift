import MLCCore
import MLCGraph
import MLCOps

/// `x` with the elements that `slice_by_index` would take replaced: a scatter of all of them at their places in the
/// line of all elements.
func importSliceUpdate(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (x, update) = (try context.value(node, "x"), try context.value(node, "update"))
  let fact = context.fact(x)
  var slice = node
  slice.type = SliceByIndex.name
  slice.arguments["update"] = nil
  let whole = try context.apply(Shape(dtype: .int64), x)
  let count = try context.apply(ReduceProd(axes: [0]), whole)
  let bounds = [context.constant(.scalar(.int64, 0), "start"), context.constant(.scalar(.int64, 1), "step")]
  let line = try context.apply(Range1D(), count, bounds[0], bounds[1])
  slice.arguments["x"] = [.value(try context.apply(Reshape(allowZero: true), line, whole))]
  let taken = try MILGenericImport.convert(slice, in: &context)[0]
  let isKnown = fact.dtype != .string && fact.rank > 0
  guard isKnown, context.fact(update).dtype == fact.dtype else {
    throw Diagnostic("coreml.parameter", "\(context.fact(update).type) does not fit a slice of \(fact.type)")
  }
  let flat = context.list([-1])
  let places = try context.apply(ExpandDims([1]), try context.apply(Reshape(), taken, flat))
  let scattered = try context.apply(
    ScatterNd(mode: .update),
    try context.apply(Reshape(), x, flat),
    places,
    try context.apply(Reshape(), update, flat)
  )
  return [try context.apply(Reshape(allowZero: true), scattered, whole)]
}

import MLCCore
import MLCGraph
import MLCOps

/// `updates` replace or change whole slices of `data` at `indices` along `axis`: a scatter of elements whose indices
/// are repeated over the slices.
func importScatter(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (data, updates) = (try context.value(node, "data"), try context.value(node, "updates"))
  let indices = try context.value(node, "indices")
  let axis = try node.integer("axis") ?? 0
  let (fact, rank) = (context.builder.fact(updates), context.builder.fact(data).rank)
  let position = axis < 0 ? axis + rank : axis
  guard context.builder.fact(indices).rank == 1, fact.rank == rank, (0..<rank).contains(position) else {
    throw Diagnostic("coreml.parameter", "scatter of \(fact.type) needs a list of indices")
  }
  let lined = try context.apply(ExpandDims((0..<rank).filter { $0 != position }), indices)
  var shape = fact.type.staticShape.map { context.constant(.shape($0), "shape") }
  if shape == nil { shape = try context.apply(Shape(dtype: .int64), updates) }
  let spread = try context.apply(BroadcastTo(), lined, shape)
  var scatter = ScatterAlongAxis()
  scatter.axis = axis
  scatter.mode = try node.text("mode") ?? "add"
  return try context.append(node, scatter, [data, spread, updates])
}

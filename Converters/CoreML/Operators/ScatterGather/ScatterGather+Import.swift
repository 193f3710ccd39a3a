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
  guard context.builder.fact(indices).rank == 1, let shape = fact.type.staticShape, shape.count == rank,
    shape.indices.contains(position)
  else {
    throw Diagnostic(
      "coreml.parameter",
      "scatter needs a list of indices and updates of fixed shape",
      kind: .unsupported
    )
  }
  let row = shape.indices.map { $0 == position ? shape[$0] : 1 }
  let lined = try context.append(node, Reshape(), [indices, context.list(node, row)], last: false)[0]
  let spread = try context.append(node, BroadcastTo(), [lined, context.list(node, shape)], last: false)[0]
  var scatter = ScatterAlongAxis()
  scatter.axis = axis
  scatter.mode = try node.text("mode") ?? "add"
  return try context.append(node, scatter, [data, spread, updates])
}

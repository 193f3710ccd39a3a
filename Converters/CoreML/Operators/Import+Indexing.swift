import MLCCore
import MLCGraph
import MLCOps

/// MIL's `one_hot_vector_size` is our `depth`; values default to 1 and 0.
func importOneHot(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let indices = try context.value(node, "indices")
  let depth: ValueID
  if case .value(let id)? = node.arguments["one_hot_vector_size"]?.first {
    depth = id
  } else {
    let size = try node.integer("one_hot_vector_size") ?? 0
    depth = context.builder.constant(Tensor(.int32, [], [size]), name: "\(node.name)_depth", origin: node.origin)
  }
  var values: [ValueID] = []
  var like = try node.constant("on_value")
  if like == nil { like = try node.constant("off_value") }
  for (name, value) in [("on_value", 1), ("off_value", 0)] {
    let tensor = try node.constant(name) ?? Tensor(like?.dtype ?? .int32, [], [value])
    values.append(context.builder.constant(tensor, name: "\(node.name)_\(name)", origin: node.origin))
  }
  return try context.append(node, OneHot(axis: try node.integer("axis") ?? -1), [indices, depth] + values)
}

/// The end is begin plus size; a size of −1 takes what is left.
func importSliceBySize(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let (begin, size) = (try node.required("begin"), try node.required("size"))
  let rank = context.builder.fact(x).rank
  guard begin.dtype.isInteger, size.dtype.isInteger, begin.count == rank, size.count == rank else {
    throw Diagnostic("coreml.parameter", "begin and size need one integer per axis")
  }
  let (starts, sizes) = (begin.integers, size.integers)
  let ends = zip(starts, sizes).map { $0 &+ $1 }
  let open = zip(starts, sizes).map { $1 == -1 || ($0 < 0 && $0 &+ $1 == 0) }
  let slice = SliceByIndex(beginMask: [], endMask: open)
  return try context.append(node, slice, [x, context.list(node, starts), context.list(node, ends)])
}

/// Positions in sorted order: the indices of a top-k of everything.
func importArgsort(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  var sort = TopK()
  sort.axis = try node.integer("axis") ?? -1
  sort.ascending = try node.flag("ascending")
  let fact = context.builder.fact(x)
  let axis = sort.axis < 0 ? sort.axis + fact.rank : sort.axis
  guard fact.shape.indices.contains(axis), let extent = fact.shape[axis].constant else {
    throw Diagnostic("coreml.parameter", "argsort needs an axis of fixed extent", kind: .unsupported)
  }
  let k = context.builder.constant(Tensor(.int32, [], [extent]), name: "\(node.name)_k", origin: node.origin)
  return [try context.append(node, sort, [x, k], last: false)[1]]
}

/// `k` may be left out; without `return_indices` there is one output.
func importTopK(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  var top = TopK()
  top.axis = try node.integer("axis") ?? -1
  top.ascending = try node.flag("ascending")
  top.sort = try node.integer("sort").map { $0 != 0 } ?? true
  if let name = try node.text("output_indices_dtype") {
    guard let dtype = DType(rawValue: name) else {
      throw Diagnostic("coreml.parameter", "'\(name)' is no element type")
    }
    top.indicesDType = dtype
  }
  let k =
    try context.values(node, "k").first ?? context.builder.constant(Tensor(.int32, [], [1]), name: "\(node.name)_k")
  return try context.append(node, top, [x, k])
}

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

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

/// Positions in sorted order: the indices of a top-k of everything.
func importArgsort(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  var sort = TopK()
  sort.axis = try node.integer("axis") ?? -1
  sort.ascending = try node.flag("ascending")
  let fact = context.builder.fact(x)
  let axis = sort.axis < 0 ? sort.axis + fact.rank : sort.axis
  guard fact.shape.indices.contains(axis) else {
    throw Diagnostic("coreml.parameter", "argsort along axis \(sort.axis) of \(fact.type)")
  }
  let k = try context.extent(of: x, axis: axis)
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

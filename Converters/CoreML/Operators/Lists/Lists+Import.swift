import MLCCore
import MLCGraph
import MLCOps

// A list of tensors of one shape is a tensor with an axis of places in front. Core ML's `make_list` and the others.

/// `init_length` elements of zeros. Throws `coreml.parameter` where the shape of elements is not known.
func importMakeList(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let name = try node.text("dtype") ?? "fp32"
  guard let dtype = node.outputs.first?.type?.dtype ?? DType(listElement: name) else {
    throw Diagnostic("coreml.parameter", "'dtype' is '\(name)'")
  }
  var extents: [ValueID] = []
  for entry in node.arguments["elem_shape"] ?? [] {
    let extent = try entry.tensor()
    guard extent.dtype.isInteger else {
      throw Diagnostic("coreml.parameter", "the shape of a list's elements is not known", kind: .unsupported)
    }
    extents.append(context.constant(.shape(extent.integers), "elem_shape"))
  }
  let length = try context.values(node, "init_length").first ?? context.constant(.scalar(.int64, 1), "init_length")
  let rows = try context.reshape(try context.converted(length, to: .int64), [1])
  let shape = try context.concat([rows] + extents, axis: 0)
  let list = try context.apply(Fill(), shape, context.constant(.scalar(dtype, 0), "empty"))
  if try node.integer("dynamic_length") == 0 { context.fixedLists.insert(list) }
  return [list]
}

func importListLength(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let list = try list(node, context)
  return [try context.converted(try context.extent(of: list, axis: 0), to: .int32)]
}

func importListRead(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let index = try context.reshape(try context.value(node, "index"), [])
  return [try context.apply(Gather(axis: 0), try list(node, context), index)]
}

func importListGather(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  [try context.apply(Gather(axis: 0), try list(node, context), try context.value(node, "indices"))]
}

/// A place behind the last makes the list longer, with zeros between.
func importListWrite(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let index = try context.reshape(try context.value(node, "index"), [1])
  let value = try context.apply(ExpandDims([0]), try context.value(node, "value"))
  return [try written(try list(node, context), index, value, node, &context)]
}

func importListScatter(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (indices, values) = (try context.value(node, "indices"), try context.value(node, "value"))
  return [try written(try list(node, context), indices, values, node, &context)]
}

/// Elements `values: T[n, *S]` at `indices: int[n]`.
private func written(
  _ list: ValueID,
  _ indices: ValueID,
  _ values: ValueID,
  _ node: MILNode,
  _ context: inout MILContext
) throws(Diagnostic) -> ValueID {
  var list = list
  let isFixed = context.fixedLists.contains(list)
  if !isFixed {
    let length = try context.extent(of: list, axis: 0)
    let places = try context.converted(indices, to: .int64)
    let last = try context.apply(ReduceMax(axes: [0]), places)
    let needed = try context.apply(Maximum(), length, try context.raised(last, by: 1))
    let missing = try context.apply(ExpandDims([0]), try context.apply(Sub(), needed, length))
    let rank = context.fact(list).rank
    var pad = [context.constant(.shape([0]), "before"), missing]
    if rank > 1 { pad.append(context.constant(.shape([Int](repeating: 0, count: 2 * (rank - 1))), "inner")) }
    let zero = context.constant(.scalar(context.fact(list).dtype, 0), "empty")
    list = try context.apply(Pad(mode: "constant"), list, try context.concat(pad, axis: 0), zero)
  }
  let places = try context.apply(ExpandDims([1]), indices)
  let result = try context.apply(ScatterNd(mode: .update), list, places, values)
  if isFixed { context.fixedLists.insert(result) }
  return result
}

private func list(_ node: MILNode, _ context: MILContext) throws(Diagnostic) -> ValueID {
  guard case .value(let list)? = node.arguments["ls"]?.first, context.fact(list).rank > 0 else {
    throw Diagnostic("coreml.parameter", "'ls' is no list")
  }
  return list
}

extension DType {
  /// By MIL's short names.
  fileprivate init?(listElement name: String) {
    let names: [String: DType] = ["fp16": .float16, "fp32": .float32, "int32": .int32, "bool": .bool]
    guard let dtype = names[name] else { return nil }
    self = dtype
  }
}

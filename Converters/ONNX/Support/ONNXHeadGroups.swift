import MLCCore
import MLCGraph
import MLCOps

/// Heads of queries that share a head of keys: `[batch, heads, …]` as `[batch, groups, members, …]`, where there are
/// more of them.
struct ONNXHeadGroups {
  /// Groups, and the members of each; `nil` where each query has a key of its own.
  private var counts: (groups: Int, members: Int)?

  /// Throws `onnx.attention` for heads that do not divide.
  init(_ query: Fact, _ key: Fact) throws(Diagnostic) {
    guard query.rank == 4, key.rank == 4 else {
      throw Diagnostic("onnx.attention", "queries \(query.type) and keys \(key.type) differ in rank")
    }
    let (heads, groups) = (query.shape[1], key.shape[1])
    if heads == groups { return }
    guard let all = heads.constant, let own = groups.constant, own > 0, all.isMultiple(of: own) else {
      throw Diagnostic("onnx.attention", "\(heads) heads of queries do not divide among \(groups) of keys")
    }
    counts = (own, all / own)
  }

  func split(_ query: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    guard let counts else { return query }
    let shape = context.fact(query).shape
    return try context.reshape(query, [shape[0], Dim(counts.groups), Dim(counts.members)] + shape[2...])
  }

  /// Keys or values, one for all members.
  func widen(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    counts == nil ? x : try context.emit(ExpandDims([2]), x)
  }

  func mapped(_ mask: ONNXAttentionMask, in context: inout ONNXContext) throws(Diagnostic) -> ONNXAttentionMask {
    var result = mask
    result.scores = try spread(mask.scores, in: &context)
    if let rows = mask.rows { result.rows = try spread(rows, in: &context) }
    return result
  }

  /// A mask, whose heads are third from the end if it has any.
  private func spread(_ mask: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let shape = context.fact(mask).shape
    guard let counts, shape.count > 2 else { return mask }
    let place = shape.count - 3
    if shape[place] == 1 { return try context.emit(ExpandDims([place]), mask) }
    guard shape[place] == Dim(counts.groups * counts.members) else {
      throw Diagnostic("onnx.attention", "the mask \(context.fact(mask).type) does not fit the heads")
    }
    let whole = shape[..<place] + [Dim(counts.groups), Dim(counts.members)] + shape[(place + 1)...]
    return try context.reshape(mask, Array(whole))
  }

  /// A result for all heads of `query` again.
  func joined(_ x: ValueID, _ query: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    guard counts != nil else { return x }
    let (shape, heads) = (context.fact(x).shape, context.fact(query).shape[1])
    return try context.reshape(x, [shape[0], heads, shape[3], shape[4]], sources: [query])
  }
}

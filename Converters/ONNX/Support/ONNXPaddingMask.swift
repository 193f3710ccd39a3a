import MLCCore
import MLCGraph
import MLCOps

/// What onnxruntime's attention adds to the scores `[batch, heads, queries, keys]`.
enum ONNXPaddingMask {
  /// `mask_filter_value` for keys that `padding` has 0 for or that lie behind its lengths, −∞ for keys behind the query
  /// when the node is `unidirectional`, and `bias`; `nil` when that is nothing. Queries stand behind `past` keys.
  /// Throws `onnx.attention`.
  static func scores(
    _ node: ONNXNode,
    _ padding: ValueID?,
    _ bias: ValueID?,
    past: ValueID?,
    _ query: ValueID,
    _ key: ValueID,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID? {
    let zero = try context.number(0, like: query)
    var sum = bias
    func add(_ term: ValueID) throws(Diagnostic) {
      sum = try sum.map { (sum) throws(Diagnostic) in try context.emit(Add(), sum, term) } ?? term
    }
    if let padding {
      let filler = try context.number(Double(try node.float("mask_filter_value", default: -10000)), like: query)
      try add(try context.emit(Select(), try kept(padding, query, key, in: &context), zero, filler))
    }
    if try node.flag("unidirectional") {
      var place = try context.emit(ExpandDims([1]), try context.places(of: query, axis: 2))
      if let past { place = try context.emit(Add(), place, try context.extent(of: past, axis: 2)) }
      let isBefore = try context.emit(LessEqual(), try context.places(of: key, axis: 2), place)
      try add(try context.emit(Select(), isBefore, zero, try context.number(-.infinity, like: query)))
    }
    return sum
  }

  /// Which keys are none of padding: `[batch, 1, queries or 1, keys]`.
  private static func kept(_ padding: ValueID, _ query: ValueID, _ key: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let fact = context.fact(padding)
    switch fact.rank {
    case 1 where fact.shape[0] == context.fact(query).shape[0]:
      let ends = try context.emit(ExpandDims([1, 2, 3]), try context.cast(padding, to: .int64))
      return try context.emit(Less(), try context.places(of: key, axis: 2), ends)
    case 2, 3:
      let isKept = try context.emit(NotEqual(), padding, try context.number(0, like: padding))
      return try context.emit(ExpandDims(fact.rank == 2 ? [1, 2] : [1]), isKept)
    default: throw Diagnostic("onnx.attention", "the mask is \(fact.type)", kind: .unsupported)
    }
  }
}

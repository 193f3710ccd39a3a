import MLCCore
import MLCGraph
import MLCOps

/// ONNX `SplitToSequence`: pieces of a tensor along an axis.
///
/// A number `split` is how long they are, the last as long as what is left; a vector has a length for each. Without it
/// every index is a piece of its own, which keeps the axis unless `keepdims` is 0.
package enum ONNXSplitToSequence: ONNXValueOperator {
  package static let types = ["SplitToSequence"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let x = try context.required(0)
    let axis = try normalized(axis: try node.int("axis", default: 0), rank: context.fact(x).rank, "split")
    guard let split = context.input(1) else {
      var order = (0..<context.fact(x).rank).filter { $0 != axis }
      order.insert(axis, at: 0)
      let rows = axis == 0 ? x : try context.emit(Transpose(order), x)
      let keeps = try node.flag("keepdims", default: true)
      return [.sequence(.stack(keeps ? try context.emit(ExpandDims([axis + 1]), rows) : rows))]
    }
    let fact = context.fact(split)
    guard fact.dtype.isInteger, fact.rank <= 1 else { throw Diagnostic("onnx.split", "the lengths are \(fact.type)") }
    let extent = context.fact(x).shape[axis].constant
    if let numbers = fact.integers, let extent {
      let sizes = fact.rank == 1 ? numbers : try lengths(of: numbers[0], extent)
      return [.sequence(.list(try pieces(of: x, axis, sizes, in: &context), context.fact(x).dtype))]
    }
    let given = try context.cast(split, to: .int64)
    let lengths = fact.rank == 1 ? given : try lengths(of: given, x, axis, in: &context)
    return [.sequence(try context.pieces(of: x, axis: axis, lengths: lengths))]
  }

  /// How long pieces of `length` are that make up `extent`.
  private static func lengths(of length: Int, _ extent: Int) throws(Diagnostic) -> [Int] {
    guard length > 0 else { throw Diagnostic("onnx.split", "pieces are \(length) long") }
    return stride(from: 0, to: extent, by: length).map { min(length, extent - $0) }
  }

  private static func pieces(of x: ValueID, _ axis: Int, _ sizes: [Int], in context: inout ONNXContext)
    throws(Diagnostic) -> [ValueID]
  {
    guard sizes.count > 1 else {
      guard sizes == [context.fact(x).shape[axis].constant] else {
        throw Diagnostic("onnx.split", "\(sizes) does not make up \(context.fact(x).shape[axis])")
      }
      return [x]
    }
    return try context.builder.append(
      Split(axis: axis, sizes: sizes),
      [[x]],
      names: sizes.map { _ in context.node.name },
      origin: context.origin
    )
  }

  /// The same where numbers are known only as the model runs: `int64[count]`.
  private static func lengths(of length: ValueID, _ x: ValueID, _ axis: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let one = context.constant(.scalar(.int64, 1), "one")
    let isPositive = try context.emit(GreaterEqual(), length, one)
    let step = try context.emit(Ensure(), length, isPositive)
    let extent = try context.extent(of: x, axis: axis)
    let start = context.constant(.scalar(.int64, 0), "start")
    let begins = try context.emit(Range1D(), extent, start, step)
    return try context.emit(Minimum(), try context.emit(Sub(), extent, begins), step)
  }
}

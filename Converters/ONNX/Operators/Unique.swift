import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Unique`: elements, or rows along `axis`, each once, in rising order (rows by their first element, then by
/// their second) or, unless `sorted`, in that of their first occurrence; where that is, the place of each row of the
/// input in the result, and how often each occurs.
///
/// Rows are sorted by one element after the other, the last first; neighbours that differ begin a group. NaN is equal
/// to nothing. Texts are sorted by their places in the order of all of them.
package enum ONNXUnique: ONNXOperator {
  package static let types = ["Unique"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let type = context.fact(x).type
    let axis = try node.int("axis").map { (axis) throws(Diagnostic) in
      try normalized(axis: axis, rank: type.rank, "unique")
    }
    let numbers =
      switch type.dtype {
      case .bool: try context.cast(x, to: .int32)
      case .string: try context.emit(StringRank(), x)
      default: x
      }
    let rows: ValueID
    if let axis {
      let front = [axis] + type.shape.indices.filter { $0 != axis }
      rows = try context.flattened(try context.emit(Transpose(front), numbers), at: 1)
    } else {
      rows = try context.emit(Reshape(), numbers, context.constant(ints: [-1, 1], "rows"))
    }
    var groups = try Groups(rows, in: &context)
    if try !node.flag("sorted", default: true) { try groups.reorder(in: &context) }
    let flat = axis == nil ? try context.emit(Reshape(), x, context.constant(ints: [-1], "flat")) : x
    let y = try context.emit(Gather(axis: axis ?? 0), flat, groups.first)
    return [y, groups.first, groups.inverse, groups.counts]
  }
}

/// Equal rows beside each other.
private struct Groups {
  /// By group: its first row in the input, how many rows it has.
  var first: ValueID, counts: ValueID
  /// The group of each row of the input.
  var inverse: ValueID

  init(_ rows: ValueID, in context: inout ONNXContext) throws(Diagnostic) {
    let order = try Self.order(rows, in: &context)
    let sorted = try context.emit(Gather(axis: 0), rows, order)
    let places = try context.places(of: rows, axis: 0)
    let (zero, one) = (context.constant(.scalar(.int64, 0), "zero"), context.constant(.scalar(.int64, 1), "one"))
    let before = try context.emit(Maximum(), try context.emit(Sub(), places, one), zero)
    let other = try context.emit(NotEqual(), sorted, try context.emit(Gather(axis: 0), sorted, before))
    let differing = try context.emit(ReduceSum(axes: [1]), try context.cast(other, to: .int64))
    let begins = try context.emit(
      LogicalOr(),
      try context.emit(NotEqual(), differing, zero),
      try context.emit(Equal(), places, zero)
    )
    let starts = try context.cast(try context.emit(Squeeze([1]), try context.emit(NonZero(), begins)), to: .int64)
    let number = try context.emit(Cumsum(), try context.cast(begins, to: .int64))
    let group = try context.emit(Sub(), number, one)
    first = try context.emit(Gather(axis: 0), order, starts)
    let update = ScatterAlongAxis(axis: 0, mode: .update)
    inverse = try context.emit(update, places, order, group)
    let none = try context.emit(Mul(), starts, zero)
    let ones = try context.emit(Add(), try context.emit(Mul(), places, zero), one)
    counts = try context.emit(ScatterAlongAxis(axis: 0, mode: .add), none, group, ones)
  }

  /// Rows of more elements than this, and such of an open number, are sorted in a loop.
  private static let unrolled = 8

  /// Which row of the input is at each place of the rising order.
  private static func order(_ rows: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let places = try context.places(of: rows, axis: 0)
    if let width = context.fact(rows).shape[1].constant, width <= unrolled {
      var order = places
      for column in (0..<width).reversed() {
        let key = try context.element(column, of: rows, axis: 1)
        order = try sorted(order, by: key, isFirst: column == width - 1, in: &context)
      }
      return order
    }
    let inputs = [("column", TensorType(.int64, [Dim]())), ("order", context.fact(places).type)]
    let zero = context.constant(.scalar(.int64, 0), "zero")
    let last = try context.raised(try context.extent(of: rows, axis: 1), by: -1)
    let head = context.builder.beginBlock(inputs: inputs)
    let cond = context.builder.endBlock(yielding: [try context.emit(GreaterEqual(), head[0], zero)])
    let body = context.builder.beginBlock(inputs: inputs)
    let key = try context.emit(Gather(axis: 1), rows, body[0])
    let order = try sorted(body[1], by: key, isFirst: false, in: &context)
    let block = context.builder.endBlock(yielding: [try context.raised(body[0], by: -1), order])
    return try context.emit(WhileLoop(), all: [[last, places]], blocks: [cond, block])[1]
  }

  /// `order`, in which the places of equal keys stay as they are.
  private static func sorted(_ order: ValueID, by key: ValueID, isFirst: Bool, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    if isFirst { return try context.sorted(key, axis: 0, ascending: true).places }
    let placed = try context.emit(Gather(axis: 0), key, order)
    return try context.emit(Gather(axis: 0), order, try context.sorted(placed, axis: 0, ascending: true).places)
  }

  /// Puts the groups in the order of their first rows.
  mutating func reorder(in context: inout ONNXContext) throws(Diagnostic) {
    let order = try context.sorted(first, axis: 0, ascending: true).places
    let places = try context.places(of: first, axis: 0)
    let update = ScatterAlongAxis(axis: 0, mode: .update)
    let place = try context.emit(update, places, order, places)
    inverse = try context.emit(Gather(axis: 0), place, inverse)
    first = try context.emit(Gather(axis: 0), first, order)
    counts = try context.emit(Gather(axis: 0), counts, order)
  }
}

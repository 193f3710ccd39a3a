import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Unique`: elements, or rows along `axis`, each once, in rising order (rows by their first element, then by
/// their second) or, unless `sorted`, in that of their first occurrence; where that is, the place of each row of the
/// input in the result, and how often each occurs.
///
/// Rows are sorted by one element after the other, the last first, so that there must not be too many; neighbours that
/// differ begin a group. NaN is equal to nothing.
package enum ONNXUnique: ONNXOperator {
  package static let types = ["Unique"]
  package static let sinceOpset = 11
  package static var note: String { "rows of up to 64 numbers" }

  static let widthLimit = 64

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let shape = context.fact(x).shape
    let axis = try node.int("axis").map { (axis) throws(Diagnostic) in
      try normalized(axis: axis, rank: shape.count, "unique")
    }
    let width = axis.map { axis in shape.indices.filter { $0 != axis }.map { shape[$0] }.reduce(1, *).constant } ?? 1
    guard let width, 1...widthLimit ~= width, context.fact(x).dtype != .bool else {
      let rows = "rows of a known size, up to \(widthLimit) numbers"
      throw Diagnostic("onnx.unique", "\(context.fact(x).type) does not divide into \(rows)", kind: .unsupported)
    }
    let front = axis.map { axis in [axis] + shape.indices.filter { $0 != axis } }
    let turned = try front.map { (front) throws(Diagnostic) in try context.emit(Transpose(front), x) } ?? x
    let rows = try context.emit(Reshape(), turned, context.constant(ints: [-1, width], "rows"))
    var groups = try Groups(rows, width, in: &context)
    if try !node.flag("sorted", default: true) { try groups.reorder(in: &context) }
    var y = try context.emit(Gather(axis: 0), groups.sorted, groups.starts)
    if let front {
      let extents = front.dropFirst().compactMap { shape[$0].constant }
      y = try context.emit(Reshape(), y, context.constant(ints: [-1] + extents, "shape"))
      y = try context.emit(Transpose(front.indices.map { front.firstIndex(of: $0)! }), y)
    } else {
      y = try context.emit(Squeeze([1]), y)
    }
    return [y, groups.first, groups.inverse, groups.counts]
  }
}

/// Equal rows beside each other.
private struct Groups {
  /// All rows in rising order.
  let sorted: ValueID
  /// By group: where it begins in `sorted`, its first row in the input, how many rows it has.
  var starts: ValueID, first: ValueID, counts: ValueID
  /// The group of each row of the input.
  var inverse: ValueID

  init(_ rows: ValueID, _ width: Int, in context: inout ONNXContext) throws(Diagnostic) {
    let order = try Self.order(rows, width, in: &context)
    sorted = try context.emit(Gather(axis: 0), rows, order)
    let places = try context.places(of: rows, axis: 0)
    let (zero, one) = (context.constant(.scalar(.int64, 0), "zero"), context.constant(.scalar(.int64, 1), "one"))
    let before = try context.emit(Maximum(), try context.emit(Sub(), places, one), zero)
    let other = try context.emit(NotEqual(), sorted, try context.emit(Gather(axis: 0), sorted, before))
    let most = try context.emit(ReduceMax(axes: [1]), try context.cast(other, to: .int64))
    let begins = try context.emit(
      LogicalOr(),
      try context.emit(NotEqual(), most, zero),
      try context.emit(Equal(), places, zero)
    )
    starts = try context.cast(try context.emit(Squeeze([1]), try context.emit(NonZero(), begins)), to: .int64)
    let number = try context.emit(Cumsum(), try context.cast(begins, to: .int64))
    let group = try context.emit(Sub(), number, one)
    first = try context.emit(Gather(axis: 0), order, starts)
    let update = ScatterAlongAxis(axis: 0, mode: .update)
    inverse = try context.emit(update, places, order, group)
    let none = try context.emit(Mul(), starts, zero)
    let ones = try context.emit(Add(), try context.emit(Mul(), places, zero), one)
    counts = try context.emit(ScatterAlongAxis(axis: 0, mode: .add), none, group, ones)
  }

  /// Which row of the input is at each place of the rising order.
  private static func order(_ rows: ValueID, _ width: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID
  {
    var order: ValueID?
    for column in (0..<width).reversed() {
      var key = try context.element(column, of: rows, axis: 1)
      if let order { key = try context.emit(Gather(axis: 0), key, order) }
      let places = try context.sorted(key, axis: 0, ascending: true).places
      order = try order.map { (order) throws(Diagnostic) in try context.emit(Gather(axis: 0), order, places) } ?? places
    }
    guard let order else { return try context.places(of: rows, axis: 0) }
    return order
  }

  /// Puts the groups in the order of their first rows.
  mutating func reorder(in context: inout ONNXContext) throws(Diagnostic) {
    let order = try context.sorted(first, axis: 0, ascending: true).places
    let places = try context.places(of: first, axis: 0)
    let update = ScatterAlongAxis(axis: 0, mode: .update)
    let place = try context.emit(update, places, order, places)
    inverse = try context.emit(Gather(axis: 0), place, inverse)
    starts = try context.emit(Gather(axis: 0), starts, order)
    first = try context.emit(Gather(axis: 0), first, order)
    counts = try context.emit(Gather(axis: 0), counts, order)
  }
}

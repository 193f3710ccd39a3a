import MLCCore
import MLCGraph
import MLCOps

/// Where the numbers of tensors stand that are one tensor along an axis, and of a ragged sequence of them.
///
/// The whole is seen as `[outer, length, inner]` around the axis. Number `(o, j, i)` of it, with `j` in piece `p`,
/// which begins at `s` and is `l` long, is number `outer·inner·s + o·inner·l + (j - s)·inner + i` of the sequence.
struct ONNXPieces {
  /// Scalars of type `int64`; `length` is the sum of the lengths.
  let outer: ValueID, length: ValueID, inner: ValueID
  /// `int64[outer, length, inner]`.
  let places: ValueID

  /// `lengths: int64[count]` are those of the pieces along the axis.
  init(lengths: ValueID, outer: ValueID, inner: ValueID, in context: inout ONNXContext) throws(Diagnostic) {
    (self.outer, self.inner) = (outer, inner)
    length = try context.emit(ReduceSum(axes: [0], keepDims: false), lengths)
    let ends = try context.emit(Cumsum(), lengths)
    let begins = try context.emit(Sub(), ends, lengths)
    let along = try Self.range(length, in: &context)
    let piece = try Self.piece(ends, length, in: &context)
    let begin = try context.emit(Gather(axis: 0), begins, piece)
    let own = try context.emit(Gather(axis: 0), lengths, piece)
    let inPiece = try context.emit(Mul(), try context.emit(Sub(), along, begin), inner)
    let before = try context.emit(Mul(), begin, try context.emit(Mul(), outer, inner))
    let step = try context.emit(Mul(), own, inner)
    let rows = try context.emit(ExpandDims([1]), try Self.range(outer, in: &context))
    let row = try context.emit(Mul(), rows, step)
    let first = try context.emit(Add(), row, try context.emit(Add(), before, inPiece))
    places = try context.emit(Add(), try context.emit(ExpandDims([2]), first), try Self.range(inner, in: &context))
  }

  private static func range(_ count: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let ends = [context.constant(.scalar(.int64, 0), "start"), context.constant(.scalar(.int64, 1), "step")]
    return try context.emit(Range1D(), count, ends[0], ends[1])
  }

  /// The piece that each place is in: how many end there or before.
  private static func piece(_ ends: ValueID, _ length: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let one = context.constant(.scalar(.int64, 1), "one")
    let zero = context.constant(.scalar(.int64, 0), "zero")
    let room = try context.emit(ExpandDims([0]), try context.emit(Add(), length, one))
    let none = try context.emit(Fill(), room, zero)
    let ones = try context.emit(Add(), try context.emit(Mul(), ends, zero), one)
    let marks = try context.emit(ScatterNd(mode: .add), none, try context.emit(ExpandDims([1]), ends), ones)
    return try context.slice(try context.emit(Cumsum(), marks), to: length)
  }

  /// The numbers of the whole, in order, from those of the sequence.
  func whole(_ elements: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try context.emit(Gather(axis: 0), elements, places)
  }

  /// The numbers of the sequence from those of the whole, a vector.
  func elements(_ whole: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let flat = try context.emit(Reshape(), places, context.constant(ints: [-1, 1], "places"))
    let dtype = context.fact(whole).dtype
    let zero = try context.constant(0, dtype, "zero")
    let none = try context.emit(Fill(), try context.emit(Shape(dtype: .int64), whole), zero)
    return try context.emit(ScatterNd(mode: .update), none, flat, whole)
  }
}

extension ONNXContext {
  /// The elements of `sequence`, one behind the other along `axis`.
  mutating func joined(_ sequence: ONNXSequence, axis: Int) throws(Diagnostic) -> ValueID {
    switch sequence {
    case .list(let values, _):
      guard let first = values.first else { throw Diagnostic("onnx.sequence", "an empty sequence has no elements") }
      return try concat(values, axis: try normalized(axis: axis, rank: fact(first).rank, "concat"))
    case .stack(let stack):
      let shape = fact(stack).shape
      let axis = try normalized(axis: axis, rank: shape.count - 1, "concat")
      let moved = try self.moved(stack, to: axis)
      var whole = Array(shape.dropFirst())
      whole[axis] = shape[0] * whole[axis]
      return try reshape(moved, whole)
    case .ragged(let elements, let shapes):
      let rank = try rank(ofShapes: shapes)
      let axis = try normalized(axis: axis, rank: rank, "concat")
      let first = try element(0, of: shapes, axis: 0)
      let checked = try held(shapes, toBe: first, but: axis)
      let pieces = try ONNXPieces(
        lengths: try element(axis, of: checked, axis: 1),
        outer: try product(first, 0..<axis),
        inner: try product(first, axis + 1..<rank),
        in: &self
      )
      var extents = [try emit(ExpandDims([0]), pieces.length)]
      if axis > 0 { extents.insert(try slice(first, axis: 0, from: 0, to: axis), at: 0) }
      if axis + 1 < rank { extents.append(try slice(first, axis: 0, from: axis + 1)) }
      let numbers = try pieces.whole(elements, in: &self)
      return try emit(Reshape(allowZero: true), numbers, try concat(extents, axis: 0))
    }
  }

  /// The elements of `sequence`, side by side along a new axis `axis`.
  mutating func stacked(_ sequence: ONNXSequence, axis: Int) throws(Diagnostic) -> ValueID {
    switch sequence {
    case .list(let values, let dtype):
      var rows: [ValueID] = []
      for value in values { rows.append(try emit(ExpandDims([axis]), value)) }
      return try joined(.list(rows, dtype), axis: axis)
    case .stack(let stack):
      return try moved(stack, to: try normalized(axis: axis, rank: fact(stack).rank, "concat"))
    case .ragged(let elements, let shapes):
      let axis = try normalized(axis: axis, rank: try rank(ofShapes: shapes) + 1, "concat")
      let first = try element(0, of: shapes, axis: 0)
      let checked = try held(shapes, toBe: first, but: nil)
      let count = try emit(ExpandDims([0]), try extent(of: checked, axis: 0))
      return try moved(try emit(Reshape(allowZero: true), elements, try concat([count, first], axis: 0)), to: axis)
    }
  }

  /// The pieces of `x` along `axis` that are `lengths: int64[count]` long, which are held to make up its extent.
  mutating func pieces(of x: ValueID, axis: Int, lengths: ValueID) throws(Diagnostic) -> ONNXSequence {
    let rank = fact(x).rank
    let shape = try emit(Shape(dtype: .int64), x)
    let least = try emit(
      ReduceMin(axes: [0], keepDims: false),
      try concat([lengths, constant(ints: [0], "none")], axis: 0)
    )
    let whole = try emit(ReduceSum(axes: [0], keepDims: false), lengths)
    let isWhole = try emit(Equal(), whole, try element(axis, of: shape, axis: 0))
    let arePositive = try emit(GreaterEqual(), least, constant(.scalar(.int64, 0), "zero"))
    let checked = try emit(Ensure(), lengths, try emit(LogicalAnd(), isWhole, arePositive))
    let pieces = try ONNXPieces(
      lengths: checked,
      outer: try product(shape, 0..<axis),
      inner: try product(shape, axis + 1..<rank),
      in: &self
    )
    let flat = try emit(Reshape(), x, constant(ints: [-1], "flat"))
    let elements = try pieces.elements(flat, in: &self)
    var columns: [ValueID] = []
    let column = try emit(ExpandDims([1]), checked)
    let ones = try emit(Mul(), column, constant(.scalar(.int64, 0), "zero"))
    for index in 0..<rank {
      columns.append(index == axis ? column : try emit(Add(), ones, try element(index, of: shape, axis: 0)))
    }
    return .ragged(elements: elements, shapes: try concat(columns, axis: 1))
  }

  /// `stack` with its first axis as axis `axis`.
  mutating func moved(_ stack: ValueID, to axis: Int) throws(Diagnostic) -> ValueID {
    if axis == 0 { return stack }
    var order = Array(1..<fact(stack).rank)
    order.insert(0, at: axis)
    return try emit(Transpose(order), stack)
  }

  /// The product of some of the numbers of a vector, whose count is known: a scalar.
  private mutating func product(_ numbers: ValueID, _ range: Range<Int>) throws(Diagnostic) -> ValueID {
    if range.isEmpty { return constant(.scalar(.int64, 1), "one") }
    let part = try slice(numbers, axis: 0, from: range.lowerBound, to: range.upperBound)
    return try emit(ReduceProd(axes: [0], keepDims: false), part)
  }

  /// `shapes`, held to have the numbers of `first` in every row, `axis` apart.
  private mutating func held(_ shapes: ValueID, toBe first: ValueID, but axis: Int?) throws(Diagnostic) -> ValueID {
    let others = (0..<(try rank(ofShapes: shapes))).filter { $0 != axis }
    if others.isEmpty { return shapes }
    let places = constant(ints: others, "others")
    let own = try emit(Gather(axis: 1), shapes, places)
    let equal = try emit(Equal(), own, try emit(Gather(axis: 0), first, places))
    let all = try emit(ReduceMin(axes: [0, 1], keepDims: false), try cast(equal, to: .int32))
    return try emit(Ensure(), shapes, try cast(all, to: .bool))
  }
}

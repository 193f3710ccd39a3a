import MLCCore
import MLCGraph
import MLCOps

/// Parts of loops.
extension ONNXContext {
  mutating func truth() throws(Diagnostic) -> ValueID { constant(.scalar(.bool, 1), "true") }

  /// The one element of `value`, of rank 0. Throws `id` where there are more.
  mutating func scalar(_ value: ValueID, _ id: Diagnostic.ID) throws(Diagnostic) -> ValueID {
    if let count = fact(value).type.staticShape?.checkedProduct, count != 1 {
      throw Diagnostic(id, "\(fact(value).type) is not one number or truth value")
    }
    if fact(value).rank == 0 { return value }
    return try emit(Reshape(), value, constant(Tensor(.int64, [0], [Int]()), "scalar"))
  }

  /// The number that `value` is, or 0 where that is negative; `nil` where sizes do not say it.
  func count(_ value: ValueID) -> Dim? {
    guard let number = fact(value).elements?.first else { return nil }
    return (number.lowerBound ?? -1) >= 0 ? number : Dim.max(number, 0)
  }

  /// A tensor of `count` elements, whose extent stands for that number; none where it is negative.
  mutating func room(_ count: ValueID) throws(Diagnostic) -> ValueID {
    let rows = try emit(Maximum(), count, constant(.scalar(.int64, 0), "none"))
    return try emit(Fill(), try emit(ExpandDims([0]), rows), constant(.scalar(.bool, 0), "room"))
  }

  /// The place of round `round` of `limit` where the last comes first.
  mutating func place(_ round: ValueID, fromEndOf limit: ValueID) throws(Diagnostic) -> ValueID {
    try emit(Sub(), try emit(Sub(), limit, constant(.scalar(.int64, 1), "one")), round)
  }

  /// A stack as an input of the block, and what becomes of it in the round that gives `row`: with `row` in its place,
  /// or, where the stack has no `extent`, behind the last.
  mutating func stack(_ row: ValueID, in extent: Dim?, at place: ValueID, _ label: String) throws(Diagnostic) -> (
    type: TensorType, value: ValueID
  ) {
    let own = fact(row).type
    let type = TensorType(own.dtype, [extent ?? .symbol("\(label).rows")] + own.shape)
    let stack = builder.addBlockInput("\(label).stack", type)
    let rows = try emit(ExpandDims([0]), row)
    guard extent != nil else { return (type, try append(Concat(axis: 0), [[stack, rows]])) }
    let index = try emit(ExpandDims([0, 1]), place)
    return (type, try emit(ScatterNd(mode: .update), stack, index, rows))
  }

  /// As many of the first rows of `stack` as `count` says, an int64 scalar.
  mutating func first(_ count: ValueID, of stack: ValueID) throws(Diagnostic) -> ValueID {
    let axes = 0..<fact(stack).rank
    let op = SliceByIndex(beginMask: axes.map { _ in true }, endMask: axes.map { $0 != 0 })
    var end = try emit(ExpandDims([0]), count)
    if axes.count > 1 { end = try concat([end, constant(ints: axes.dropFirst().map { _ in 0 }, "rest")], axis: 0) }
    return try emit(op, stack, constant(ints: axes.map { _ in 0 }, "begin"), end)
  }

  /// Zeros of these extents, computed from those of `sources` and of what the node sees. Throws `id` where they do not
  /// say them.
  mutating func zeros(_ dtype: DType, _ shape: [Dim], sources: [ValueID], _ id: Diagnostic.ID) throws(Diagnostic)
    -> ValueID
  {
    var extents: [ValueID] = []
    for extent in shape { extents.append(try emit(ExpandDims([0]), try number(extent, sources, id))) }
    let list = extents.isEmpty ? constant(ints: [], "shape") : try concat(extents, axis: 0)
    let zero = dtype == .string ? Tensor([], strings: [""]) : .scalar(dtype, 0)
    return try emit(Fill(), list, constant(zero, "zero"))
  }

  /// `dim` as an `int64` scalar.
  private mutating func number(_ dim: Dim, _ sources: [ValueID], _ id: Diagnostic.ID) throws(Diagnostic) -> ValueID {
    if let number = dim.constant { return constant(.scalar(.int64, number), "extent") }
    if let known = try found(dim, sources) { return known }
    var sum: ValueID?
    for term in dim.terms {
      var product = constant(.scalar(.int64, term.coefficient), "factor")
      for atom in term.atoms { product = try emit(Mul(), product, try number(atom, sources, id)) }
      sum = if let sum { try emit(Add(), sum, product) } else { product }
    }
    return sum ?? constant(.scalar(.int64, 0), "extent")
  }

  private mutating func number(_ atom: Dim.Atom, _ sources: [ValueID], _ id: Diagnostic.ID) throws(Diagnostic)
    -> ValueID
  {
    switch atom {
    case .symbol(let name):
      if let known = try found(.symbol(name), sources) { return known }
      let message = "what is stacked has the extent '\(name)', which only the rounds compute"
      throw Diagnostic(id, message, kind: .unsupported)
    case .floorDiv(let a, let b): return try emit(FloorDiv(), number(a, sources, id), number(b, sources, id))
    case .max(let a, let b): return try emit(Maximum(), number(a, sources, id), number(b, sources, id))
    case .min(let a, let b): return try emit(Minimum(), number(a, sources, id), number(b, sources, id))
    }
  }

  /// An extent or a number that is `dim`, of `sources`, of inputs or of what has a name here.
  private mutating func found(_ dim: Dim, _ sources: [ValueID]) throws(Diagnostic) -> ValueID? {
    for value in sources + builder.function.inputs + values.values.compactMap(\.tensor).sorted() {
      let fact = fact(value)
      if fact.rank == 0, fact.dtype == .int64, fact.elements == [dim] { return value }
      if let axis = fact.shape.firstIndex(of: dim) { return try cast(try extent(of: value, axis: axis), to: .int64) }
    }
    return nil
  }
}

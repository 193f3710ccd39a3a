import MLCCore
import MLCGraph

/// Steps that compositions share.
extension OperationBuilder {
  /// The one result of an operation, each argument one value or none.
  package mutating func apply(_ op: any Operator, _ inputs: ValueID?...) throws(Diagnostic) -> ValueID {
    try append(op, inputs.map { $0.map { [$0] } ?? [] })
  }

  /// A scalar of the element type of `x`; beside strings one of fp32, which no operator takes together with them.
  package mutating func scalar(_ value: Double, like x: ValueID) -> ValueID {
    constant(.scalar(value, beside: fact(x).dtype), "number")
  }

  /// Numbers as others.
  package mutating func converted(_ x: ValueID, to dtype: DType) throws(Diagnostic) -> ValueID {
    fact(x).dtype == dtype ? x : try apply(Cast(dtype), x)
  }

  package mutating func scaled(_ x: ValueID, by factor: Double) throws(Diagnostic) -> ValueID {
    factor == 1 ? x : try apply(Mul(), x, scalar(factor, like: x))
  }

  /// `x` plus a number.
  package mutating func raised(_ x: ValueID, by amount: Double) throws(Diagnostic) -> ValueID {
    amount == 0 ? x : try apply(Add(), x, scalar(amount, like: x))
  }

  /// `min(max(x, low), high)`, NaN where `x` is.
  package mutating func clamped(_ x: ValueID, _ low: ValueID, _ high: ValueID) throws(Diagnostic) -> ValueID {
    try apply(Minimum(), try apply(Maximum(), x, low), high)
  }

  /// The sum of values of one type and shape, from the first on.
  package mutating func sum(_ values: [ValueID]) throws(Diagnostic) -> ValueID {
    var result = values[0]
    for value in values.dropFirst() { result = try apply(Add(), result, value) }
    return result
  }

  /// The elements of `x` from `start` up to `end`, or the last, of `axis`, which exists.
  package mutating func slice(_ x: ValueID, axis: Int, from start: Int, to end: Int? = nil, step: Int = 1)
    throws(Diagnostic) -> ValueID
  {
    let axes = 0..<fact(x).rank
    let op = SliceByIndex(beginMask: axes.map { $0 != axis }, endMask: axes.map { $0 != axis || end == nil })
    let begin = constant(.shape(axes.map { $0 == axis ? start : 0 }), "begin")
    let stop = constant(.shape(axes.map { $0 == axis ? end ?? 0 : 0 }), "end")
    if step == 1 { return try apply(op, x, begin, stop) }
    return try apply(op, x, begin, stop, constant(.shape(axes.map { $0 == axis ? step : 1 }), "stride"))
  }

  /// Those of `x` with `index` on `axis`, which goes.
  package mutating func element(_ index: Int, of x: ValueID, axis: Int) throws(Diagnostic) -> ValueID {
    try apply(Gather(axis: axis), x, constant(.scalar(.int64, index), "index"))
  }

  package mutating func concat(_ parts: [ValueID], axis: Int) throws(Diagnostic) -> ValueID {
    parts.count == 1 ? parts[0] : try append(Concat(axis: axis), [parts])
  }

  /// The extent of `x` on `axis`, a scalar of type `int64`.
  package mutating func extent(of x: ValueID, axis: Int) throws(Diagnostic) -> ValueID {
    if let number = fact(x).shape[axis].constant { return constant(.scalar(.int64, number), "extent") }
    return try element(axis, of: try apply(Shape(dtype: .int64), x), axis: 0)
  }

  /// 0, 1, … up to the extent of `x` on `axis`, of type `int64`.
  package mutating func places(of x: ValueID, axis: Int) throws(Diagnostic) -> ValueID {
    let ends = [constant(.scalar(.int64, 0), "start"), constant(.scalar(.int64, 1), "step")]
    return try apply(Range1D(), try extent(of: x, axis: axis), ends[0], ends[1])
  }
}

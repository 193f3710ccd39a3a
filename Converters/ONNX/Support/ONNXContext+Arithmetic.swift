import MLCCore
import MLCGraph
import MLCOps

/// Steps that conversions by several operations share.
extension ONNXContext {
  /// A number of the element type of `x`.
  mutating func number(_ value: Double, like x: ValueID) throws(Diagnostic) -> ValueID {
    try constant(value, fact(x).dtype, "number")
  }

  /// Numbers as others. Throws `onnx.dtype` where either are strings, but not both.
  mutating func cast(_ x: ValueID, to dtype: DType) throws(Diagnostic) -> ValueID {
    let given = fact(x).dtype
    if given == dtype { return x }
    if given == .string || dtype == .string {
      throw Diagnostic("onnx.dtype", "\(fact(x).type) is given, where numbers are expected", at: origin)
    }
    return try emit(Cast(dtype), x)
  }

  mutating func scaled(_ x: ValueID, by factor: Double) throws(Diagnostic) -> ValueID {
    factor == 1 ? x : try emit(Mul(), x, try number(factor, like: x))
  }

  /// The elements of `x` from `start` up to `end`, or the last, of `axis`, which exists.
  mutating func slice(_ x: ValueID, axis: Int, from start: Int, to end: Int? = nil, step: Int = 1)
    throws(Diagnostic) -> ValueID
  {
    let axes = 0..<fact(x).rank
    let op = SliceByIndex(beginMask: axes.map { $0 != axis }, endMask: axes.map { $0 != axis || end == nil })
    let begin = constant(ints: axes.map { $0 == axis ? start : 0 }, "begin")
    let stop = constant(ints: axes.map { $0 == axis ? end ?? 0 : 0 }, "end")
    if step == 1 { return try emit(op, x, begin, stop) }
    return try emit(op, x, begin, stop, constant(ints: axes.map { $0 == axis ? step : 1 }, "stride"))
  }

  /// Those of `x` with `index` on `axis`, which goes.
  mutating func element(_ index: Int, of x: ValueID, axis: Int) throws(Diagnostic) -> ValueID {
    try emit(Gather(axis: axis), x, constant(.scalar(.int64, index), "index"))
  }

  mutating func concat(_ parts: [ValueID], axis: Int) throws(Diagnostic) -> ValueID {
    parts.count == 1 ? parts[0] : try append(Concat(axis: axis), [parts])
  }

  /// The extent of `x` on `axis`, a scalar of type `int64`.
  mutating func extent(of x: ValueID, axis: Int) throws(Diagnostic) -> ValueID {
    if let number = fact(x).shape[axis].constant { return constant(.scalar(.int64, number), "extent") }
    let shape = try emit(Shape(dtype: .int64), x)
    return try element(axis, of: shape, axis: 0)
  }

  /// 0, 1, … up to the extent of `x` on `axis`, of type `int64`.
  mutating func places(of x: ValueID, axis: Int) throws(Diagnostic) -> ValueID {
    let ends = [constant(.scalar(.int64, 0), "start"), constant(.scalar(.int64, 1), "step")]
    return try emit(Range1D(), try extent(of: x, axis: axis), ends[0], ends[1])
  }

  /// The elements of `x` in order along `axis`, and their places, of type `int64`; of equal ones the first comes first.
  mutating func sorted(_ x: ValueID, axis: Int, ascending: Bool)
    throws(Diagnostic) -> (values: ValueID, places: ValueID)
  {
    var op = TopK()
    (op.axis, op.ascending, op.indicesDType) = (axis, ascending, .int64)
    let names = [node.output(0) ?? node.name, "\(node.output(0) ?? node.name).order"]
    let count = try extent(of: x, axis: axis)
    let results = try builder.append(op, [[x], [count]], names: names, origin: origin)
    return (results[0], results[1])
  }

  /// The one number that input `index` is; `nil` when it is left out. Throws `onnx.not-constant`, `onnx.number`.
  func number(_ index: Int, _ name: String) throws(Diagnostic) -> Double? {
    guard let tensor = try constant(index, name) else { return nil }
    guard tensor.count == 1 else {
      throw Diagnostic("onnx.number", "input '\(name)' is \(tensor.type), not one number", at: origin)
    }
    return tensor.doubles[0]
  }

  /// The same for a whole number, of which `range` says what it may be.
  func integer(_ index: Int, _ name: String, in range: ClosedRange<Int>) throws(Diagnostic) -> Int? {
    guard let number = try number(index, name) else { return nil }
    guard let whole = Int(exactly: number), range.contains(whole) else {
      throw Diagnostic("onnx.number", "input '\(name)' is \(number), not one of \(range)", at: origin)
    }
    return whole
  }
}

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

import MLCCore
import MLCGraph
import MLCOps

extension OperationBuilder {
  /// `gradient` with the shape of `operand`, whose elements numpy's broadcasting repeated to make it, or the other way
  /// round: repeated axes are summed, missing ones repeated. Where open sizes do not tell whether an axis was repeated
  /// it was not, which `reshape` checks at run time.
  package mutating func fitted(_ gradient: ValueID, to operand: ValueID) throws(Diagnostic) -> ValueID {
    let (given, wanted) = (fact(gradient).shape, fact(operand).shape)
    if given == wanted { return gradient }
    let lead = given.count - wanted.count
    let summed = given.indices.filter { $0 < lead || wanted[$0 - lead] == 1 && given[$0] != 1 }
    var result = summed.isEmpty ? gradient : try apply(ReduceSum(axes: summed, keepDims: true), gradient)
    if lead > 0 { result = try apply(Squeeze(Array(0..<lead)), result) }
    let missing = zip(fact(result).shape, wanted.suffix(fact(result).rank)).contains { $0 == 1 && $1 != 1 }
    if missing || lead < 0 { result = try apply(BroadcastTo(), result, try shapeList(of: operand)) }
    return fact(result).shape == wanted ? result : try underShape(of: operand, result)
  }

  /// `x` under the shape of `value`, which has as many elements.
  package mutating func underShape(of value: ValueID, _ x: ValueID) throws(Diagnostic) -> ValueID {
    try apply(Reshape(allowZero: true), x, try shapeList(of: value))
  }

  /// The extents of `value` as a list: numbers where they are known, else read at run time.
  package mutating func shapeList(of value: ValueID) throws(Diagnostic) -> ValueID {
    if let shape = fact(value).type.staticShape { return list(shape) }
    return try apply(Shape(dtype: .int64), value)
  }

  package mutating func zeros(like value: ValueID) throws(Diagnostic) -> ValueID {
    try apply(Fill(), try shapeList(of: value), scalar(0, like: value))
  }
}

import MLCCore
import MLCGraph
import MLCOps

extension OperationBuilder {
  /// `gradient` with the shape of `operand`, whose elements numpy's broadcasting repeated to make it, or the other way
  /// round: repeated axes are summed, missing ones repeated. Throws `gradient.unsupported` where open sizes do not tell
  /// which.
  package mutating func fitted(_ gradient: ValueID, to operand: ValueID) throws(Diagnostic) -> ValueID {
    let (given, wanted) = (fact(gradient).shape, fact(operand).shape)
    if given == wanted { return gradient }
    let lead = given.count - wanted.count
    let summed = given.indices.filter { $0 < lead || wanted[$0 - lead] == 1 && given[$0] != 1 }
    let sums = summed.isEmpty ? gradient : try apply(ReduceSum(axes: summed, keepDims: true), gradient)
    let bare = lead > 0 ? try apply(Squeeze(Array(0..<lead)), sums) : sums
    if fact(bare).shape == wanted { return bare }
    let pairs = zip(fact(bare).shape, wanted.suffix(fact(bare).rank))
    guard pairs.allSatisfy({ $0 == $1 || $0 == 1 || $0.constant == nil && $1.constant != nil }) else {
      let types = "\(fact(gradient).type) of \(fact(operand).type)"
      throw Diagnostic(
        "gradient.unsupported",
        "a gradient \(types): open sizes do not tell what was broadcast; bind them",
        kind: .unsupported
      )
    }
    return try apply(BroadcastTo(), bare, try shapeList(of: operand))
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

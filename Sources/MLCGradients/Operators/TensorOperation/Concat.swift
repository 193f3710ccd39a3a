import MLCCore
import MLCGraph
import MLCOps

/// Each operand has its part of the gradient.
extension Concat: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    let axis = axis < 0 ? axis + context.fact(g).rank : axis
    var start = context.list([0])
    for value in context[all: "values"] {
      let end = try context.apply(Add(), start, try context.listedExtent(of: value, axis))
      if context.wants(value) { try context.give(.value(try context.part(of: g, axis, start, end)), to: value) }
      start = end
    }
  }
}

extension OperationBuilder {
  /// The extent of `x` on `axis` as a list of one number.
  fileprivate mutating func listedExtent(of x: ValueID, _ axis: Int) throws(Diagnostic) -> ValueID {
    if let extent = fact(x).shape[axis].constant { return list([extent]) }
    return try apply(Shape(start: axis, end: axis + 1, dtype: .int64), x)
  }

  /// The elements of `x` from `start` up to `end` along `axis`, both lists of one number.
  fileprivate mutating func part(of x: ValueID, _ axis: Int, _ start: ValueID, _ end: ValueID) throws(Diagnostic)
    -> ValueID
  {
    let rank = fact(x).rank
    let others = (0..<rank).map { $0 != axis }
    let (before, after) = (list([Int](repeating: 0, count: axis)), list([Int](repeating: 0, count: rank - axis - 1)))
    let begin = try concat([before, start, after], axis: 0)
    let stop = try concat([before, end, after], axis: 0)
    return try apply(SliceByIndex(beginMask: others, endMask: others), x, begin, stop)
  }
}

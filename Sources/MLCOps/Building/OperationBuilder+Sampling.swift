import MLCCore
import MLCGraph

/// One of the elements that a value between elements is computed from, along one axis: which it is, how much it counts
/// (`nil` is 1), and whether it is in the data (`nil` is always). Elements outside count as 0.
package struct SampleTap {
  /// Of type `int64`, within the axis.
  package var place: ValueID
  package var weight: ValueID?
  package var isInside: ValueID?

  package init(place: ValueID, weight: ValueID? = nil, isInside: ValueID? = nil) {
    (self.place, self.weight, self.isInside) = (place, weight, isInside)
  }
}

extension OperationBuilder {
  /// What `x` holds at every choice of one tap an axis, times its weights: `x: T[*B, C, P]`, P the product of
  /// `extents`, scalars of type `int64`; the values of the taps broadcast to `[*B, *O]` → `T[*B, C, *O]` each. With
  /// `channelsLast` x is `T[*B, P, C]`, the results `T[*B, *O, C]`.
  package mutating func taps(
    _ x: ValueID,
    _ axes: [[SampleTap]],
    _ extents: [ValueID],
    channelsLast: Bool = false
  ) throws(Diagnostic) -> [ValueID] {
    let batch = fact(x).rank - 2
    let zero = scalar(0, like: x)
    var found: [ValueID] = []
    for choice in try choices(axes, extents) {
      let channel = ExpandDims([channelsLast ? fact(choice.place).rank : batch])
      var value = try apply(Gather(axis: channelsLast ? batch : batch + 1, batch: batch), x, choice.place)
      if let weight = choice.weight { value = try apply(Mul(), value, try apply(channel, weight)) }
      if let isInside = choice.isInside { value = try apply(Select(), try apply(channel, isInside), value, zero) }
      found.append(value)
    }
    return found
  }

  /// Every choice of one tap an axis as a tap of all elements.
  private mutating func choices(_ axes: [[SampleTap]], _ extents: [ValueID]) throws(Diagnostic) -> [SampleTap] {
    var result = axes.first ?? []
    for (axis, extent) in zip(axes, extents).dropFirst() {
      var longer: [SampleTap] = []
      for outer in result {
        let row = try apply(Mul(), outer.place, extent)
        for inner in axis {
          longer.append(
            SampleTap(
              place: try apply(Add(), row, inner.place),
              weight: try both(Mul(), outer.weight, inner.weight),
              isInside: try both(LogicalAnd(), outer.isInside, inner.isInside)
            )
          )
        }
      }
      result = longer
    }
    return result
  }

  private mutating func both(_ op: any Operator, _ a: ValueID?, _ b: ValueID?) throws(Diagnostic) -> ValueID? {
    guard let a, let b else { return a ?? b }
    return try apply(op, a, b)
  }

  /// The two taps around each of `x`, places between elements of an axis of `extent` elements: weights fall in a line,
  /// elements outside are none.
  package mutating func linearTaps(_ x: ValueID, _ extent: ValueID) throws(Diagnostic) -> [SampleTap] {
    let floor = try apply(Floor(), x)
    let ratio = try apply(Sub(), x, floor)
    let rest = try apply(Sub(), scalar(1, like: x), ratio)
    return [
      try tapOrNone(floor, rest, extent), try tapOrNone(try raised(floor, by: 1), ratio, extent),
    ]
  }

  /// The element at each of `place`, whole numbers of a float type; none where it is outside an axis of `extent`.
  package mutating func tapOrNone(_ place: ValueID, _ weight: ValueID?, _ extent: ValueID) throws(Diagnostic)
    -> SampleTap
  {
    let zero = scalar(0, like: place)
    let last = try raised(try converted(extent, to: fact(place).dtype), by: -1)
    let isInside = try apply(
      LogicalAnd(),
      try apply(GreaterEqual(), place, zero),
      try apply(LessEqual(), place, last)
    )
    let index = try converted(try clamped(place, zero, last), to: .int64)
    return SampleTap(place: index, weight: weight, isInside: isInside)
  }
}

extension Gather {
  fileprivate init(axis: Int, batch: Int) {
    self.init(axis: axis)
    batchDims = batch
  }
}

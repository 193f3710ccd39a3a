import MLCCore
import MLCGraph
import MLCOps

/// One of the elements that a value between elements is computed from, along one axis: which it is, how much it counts
/// (`nil` is 1), and whether it is in the data (`nil` is always). Elements outside count as 0.
struct ONNXTap {
  /// Of type `int64`, within the axis.
  var place: ValueID
  var weight: ValueID?
  var isInside: ValueID?
}

extension ONNXContext {
  /// What `x` holds at every choice of one tap an axis, times its weights: `x: T[*B, C, P]`, P the product of
  /// `extents`, scalars of type `int64`; the values of the taps broadcast to `[*B, *O]` → `T[*B, C, *O]` each. With
  /// `channelsLast` x is `T[*B, P, C]`, the results `T[*B, *O, C]`.
  mutating func taps(
    _ x: ValueID,
    _ axes: [[ONNXTap]],
    _ extents: [ValueID],
    channelsLast: Bool = false
  ) throws(Diagnostic) -> [ValueID] {
    let batch = fact(x).rank - 2
    let zero = try number(0, like: x)
    var found: [ValueID] = []
    for choice in try choices(axes, extents) {
      let channel = ExpandDims([channelsLast ? fact(choice.place).rank : batch])
      var value = try emit(Gather(axis: channelsLast ? batch : batch + 1, batch: batch), x, choice.place)
      if let weight = choice.weight { value = try emit(Mul(), value, try emit(channel, weight)) }
      if let isInside = choice.isInside { value = try emit(Select(), try emit(channel, isInside), value, zero) }
      found.append(value)
    }
    return found
  }

  /// Every choice of one tap an axis as a tap of all elements.
  private mutating func choices(_ axes: [[ONNXTap]], _ extents: [ValueID]) throws(Diagnostic) -> [ONNXTap] {
    var result = axes.first ?? []
    for (axis, extent) in zip(axes, extents).dropFirst() {
      var longer: [ONNXTap] = []
      for outer in result {
        let row = try emit(Mul(), outer.place, extent)
        for inner in axis {
          longer.append(
            ONNXTap(
              place: try emit(Add(), row, inner.place),
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
    return try emit(op, a, b)
  }

  /// The sum of values of one type and shape, from the first on.
  mutating func sum(_ values: [ValueID]) throws(Diagnostic) -> ValueID {
    var result = values[0]
    for value in values.dropFirst() { result = try emit(Add(), result, value) }
    return result
  }

  /// `min(max(x, low), high)`, NaN where `x` is.
  mutating func clamped(_ x: ValueID, _ low: ValueID, _ high: ValueID) throws(Diagnostic) -> ValueID {
    try emit(Minimum(), try emit(Maximum(), x, low), high)
  }

  /// `x` plus a number.
  mutating func raised(_ x: ValueID, by amount: Double) throws(Diagnostic) -> ValueID {
    amount == 0 ? x : try emit(Add(), x, try number(amount, like: x))
  }

  /// The two taps around each of `x`, places between elements of an axis of `extent` elements: weights fall in a line,
  /// elements outside are none.
  mutating func linearTaps(_ x: ValueID, _ extent: ValueID) throws(Diagnostic) -> [ONNXTap] {
    let floor = try emit(Floor(), x)
    let ratio = try emit(Sub(), x, floor)
    let rest = try emit(Sub(), try number(1, like: x), ratio)
    return [
      try tapOrNone(floor, rest, extent), try tapOrNone(try raised(floor, by: 1), ratio, extent),
    ]
  }

  /// The element at each of `place`, whole numbers of a float type; none where it is outside an axis of `extent`.
  mutating func tapOrNone(_ place: ValueID, _ weight: ValueID?, _ extent: ValueID) throws(Diagnostic) -> ONNXTap {
    let zero = try number(0, like: place)
    let last = try raised(try cast(extent, to: fact(place).dtype), by: -1)
    let isInside = try emit(
      LogicalAnd(),
      try emit(GreaterEqual(), place, zero),
      try emit(LessEqual(), place, last)
    )
    let index = try cast(try clamped(place, zero, last), to: .int64)
    return ONNXTap(place: index, weight: weight, isInside: isInside)
  }
}

extension Gather {
  fileprivate init(axis: Int, batch: Int) {
    self.init(axis: axis)
    batchDims = batch
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// One axis of the data that `GridSample` looks into: from a coordinate of the grid to the elements around it.
struct ONNXGridAxis {
  /// How many elements there are, of type `int64` and of the grid's type.
  let count: ValueID, extent: ValueID
  let mode: String, padding: String
  let alignsCorners: Bool
  /// The ends of the axis: 0 and extent − 1, or half an element further out.
  private let low: ValueID, high: ValueID

  init(
    _ count: ValueID,
    _ dtype: DType,
    mode: String,
    padding: String,
    alignsCorners: Bool,
    in context: inout ONNXContext
  ) throws(Diagnostic) {
    (self.count, self.mode, self.padding, self.alignsCorners) = (count, mode, padding, alignsCorners)
    extent = try context.cast(count, to: dtype)
    low = try context.number(alignsCorners ? 0 : -0.5, like: extent)
    high = try context.raised(extent, by: alignsCorners ? -1 : -0.5)
  }

  /// The elements that a value at coordinates `grid` is computed from; −1 and 1 are the ends.
  func taps(_ grid: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXTap] {
    let moved = try context.raised(grid, by: 1)
    var x: ValueID
    if alignsCorners {
      x = try context.emit(Mul(), try context.scaled(moved, by: 0.5), try context.raised(extent, by: -1))
    } else {
      x = try context.scaled(try context.raised(try context.emit(Mul(), moved, extent), by: -1), by: 0.5)
    }
    if mode == "nearest" { x = try context.emit(Round(), x) }
    if padding == "reflection" { x = try reflected(x, in: &context) }
    if mode == "nearest" { return [try tap(x, nil, in: &context)] }
    // Further out nothing changes, and infinity has no fraction.
    let ends = [try context.number(-3, like: x), try context.raised(extent, by: 2)]
    x = try context.clamped(x, ends[0], ends[1])
    let floor = try context.emit(Floor(), x)
    let ratio = try context.emit(Sub(), x, floor)
    let rest = try context.emit(Sub(), try context.number(1, like: x), ratio)
    guard mode == "cubic" else {
      return [try tap(floor, rest, in: &context), try tap(try context.raised(floor, by: 1), ratio, in: &context)]
    }
    let weights = [
      try far(try context.raised(ratio, by: 1), in: &context), try near(ratio, in: &context),
      try near(rest, in: &context), try far(try context.raised(rest, by: 1), in: &context),
    ]
    var taps: [ONNXTap] = []
    for (step, weight) in weights.enumerated() {
      taps.append(try tap(try context.raised(floor, by: Double(step - 1)), weight, in: &context))
    }
    return taps
  }

  private func edged(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try context.clamped(x, try context.number(0, like: x), try context.raised(extent, by: -1))
  }

  /// `x` thrown back at the ends as often as it takes. An axis whose ends are one place has all there.
  private func reflected(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let range = try context.emit(
      Maximum(),
      try context.emit(Sub(), high, low),
      try context.number(1, like: x)
    )
    let period = try context.scaled(range, by: 2)
    let way = try context.emit(Mod(), try context.emit(Abs(), try context.emit(Sub(), x, low)), period)
    let back = try context.emit(Sub(), period, way)
    return try context.emit(Add(), try context.emit(Minimum(), way, back), low)
  }

  /// The element at `place`, or what stands for it outside.
  private func tap(_ place: ValueID, _ weight: ValueID?, in context: inout ONNXContext) throws(Diagnostic) -> ONNXTap {
    if padding == "zeros" { return try context.tapOrNone(place, weight, count) }
    let inner = padding == "reflection" && mode == "cubic" ? try reflected(place, in: &context) : place
    return ONNXTap(place: try context.cast(try edged(inner, in: &context), to: .int64), weight: weight)
  }

  // MARK: Keys' cubic kernel with a = −3/4

  /// At distances up to 1.
  private func near(_ t: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try context.polynomial([1, 0, -2.25, 1.25], t)
  }

  /// At distances from 1 to 2.
  private func far(_ t: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try context.polynomial([3, -6, 3.75, -0.75], t)
  }
}

extension ONNXContext {
  /// `Σ coefficients[k]·tᵏ` by Horner's rule.
  fileprivate mutating func polynomial(_ coefficients: [Double], _ t: ValueID) throws(Diagnostic) -> ValueID {
    var sum = try number(coefficients[coefficients.count - 1], like: t)
    for coefficient in coefficients.dropLast().reversed() {
      sum = try raised(try emit(Mul(), sum, t), by: coefficient)
    }
    return sum
  }
}

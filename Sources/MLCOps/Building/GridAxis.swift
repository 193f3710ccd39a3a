import MLCCore
import MLCGraph

/// One axis of data that is looked into between its elements: from a coordinate to the elements around it.
package struct GridAxis {
  /// How many elements there are, of type `int64` and of the coordinates' type.
  let count: ValueID, extent: ValueID
  let mode: String, padding: String
  let alignsCorners: Bool
  /// Where `reflection` throws back: 0 and extent − 1, or half an element further out.
  private let low: ValueID, high: ValueID

  /// `mode` is `nearest`, `linear` or `cubic`; `padding` is `zeros`, `border`, `reflection` at the ends that the
  /// coordinates have, or `mirror` at the first and last element, or `symmetric` at their outer edges.
  package init(
    _ count: ValueID,
    _ dtype: DType,
    mode: String,
    padding: String,
    alignsCorners: Bool,
    in context: inout some OperationBuilder
  ) throws(Diagnostic) {
    (self.count, self.mode, self.alignsCorners) = (count, mode, alignsCorners)
    self.padding = ["mirror", "symmetric"].contains(padding) ? "reflection" : padding
    let atElements = padding == "mirror" || padding != "symmetric" && alignsCorners
    extent = try context.converted(count, to: dtype)
    low = context.scalar(atElements ? 0 : -0.5, like: extent)
    high = try context.raised(extent, by: atElements ? -1 : -0.5)
  }

  /// The elements that a value at coordinates `grid` is computed from; −1 and 1 are the ends.
  package func taps(_ grid: ValueID, in context: inout some OperationBuilder) throws(Diagnostic) -> [SampleTap] {
    try taps(at: try position(grid, in: &context), in: &context)
  }

  /// Coordinates of which −1 and 1 are the ends, in elements.
  package func position(_ grid: ValueID, in context: inout some OperationBuilder) throws(Diagnostic) -> ValueID {
    let moved = try context.raised(grid, by: 1)
    if alignsCorners {
      return try context.apply(Mul(), try context.scaled(moved, by: 0.5), try context.raised(extent, by: -1))
    }
    return try context.scaled(try context.raised(try context.apply(Mul(), moved, extent), by: -1), by: 0.5)
  }

  /// The elements that a value at `place`, in elements, is computed from.
  package func taps(at place: ValueID, in context: inout some OperationBuilder) throws(Diagnostic) -> [SampleTap] {
    var x = place
    if mode == "nearest" { x = try context.apply(Round(), x) }
    if padding == "reflection" { x = try reflected(x, in: &context) }
    if mode == "nearest" { return [try tap(x, nil, in: &context)] }
    // Further out nothing changes, and infinity has no fraction.
    let ends = [context.scalar(-3, like: x), try context.raised(extent, by: 2)]
    x = try context.clamped(x, ends[0], ends[1])
    let floor = try context.apply(Floor(), x)
    let ratio = try context.apply(Sub(), x, floor)
    let rest = try context.apply(Sub(), context.scalar(1, like: x), ratio)
    guard mode == "cubic" else {
      return [try tap(floor, rest, in: &context), try tap(try context.raised(floor, by: 1), ratio, in: &context)]
    }
    let weights = [
      try far(try context.raised(ratio, by: 1), in: &context), try near(ratio, in: &context),
      try near(rest, in: &context), try far(try context.raised(rest, by: 1), in: &context),
    ]
    var taps: [SampleTap] = []
    for (step, weight) in weights.enumerated() {
      taps.append(try tap(try context.raised(floor, by: Double(step - 1)), weight, in: &context))
    }
    return taps
  }

  private func edged(_ x: ValueID, in context: inout some OperationBuilder) throws(Diagnostic) -> ValueID {
    try context.clamped(x, context.scalar(0, like: x), try context.raised(extent, by: -1))
  }

  /// `x` thrown back at the ends as often as it takes. An axis whose ends are one place has all there.
  private func reflected(_ x: ValueID, in context: inout some OperationBuilder) throws(Diagnostic) -> ValueID {
    let range = try context.apply(
      Maximum(),
      try context.apply(Sub(), high, low),
      context.scalar(1, like: x)
    )
    let period = try context.scaled(range, by: 2)
    let way = try context.apply(Mod(), try context.apply(Abs(), try context.apply(Sub(), x, low)), period)
    let back = try context.apply(Sub(), period, way)
    return try context.apply(Add(), try context.apply(Minimum(), way, back), low)
  }

  /// The element at `place`, or what stands for it outside.
  private func tap(
    _ place: ValueID,
    _ weight: ValueID?,
    in context: inout some OperationBuilder
  ) throws(Diagnostic) -> SampleTap {
    if padding == "zeros" { return try context.tapOrNone(place, weight, count) }
    let inner = padding == "reflection" && mode == "cubic" ? try reflected(place, in: &context) : place
    return SampleTap(place: try context.converted(try edged(inner, in: &context), to: .int64), weight: weight)
  }

  // MARK: Keys' cubic kernel with a = −3/4

  /// At distances up to 1.
  private func near(_ t: ValueID, in context: inout some OperationBuilder) throws(Diagnostic) -> ValueID {
    try context.polynomial([1, 0, -2.25, 1.25], t)
  }

  /// At distances from 1 to 2.
  private func far(_ t: ValueID, in context: inout some OperationBuilder) throws(Diagnostic) -> ValueID {
    try context.polynomial([3, -6, 3.75, -0.75], t)
  }
}

extension OperationBuilder {
  /// `Σ coefficients[k]·tᵏ` by Horner's rule.
  fileprivate mutating func polynomial(_ coefficients: [Double], _ t: ValueID) throws(Diagnostic) -> ValueID {
    var sum = scalar(coefficients[coefficients.count - 1], like: t)
    for coefficient in coefficients.dropLast().reversed() {
      sum = try raised(try apply(Mul(), sum, t), by: coefficient)
    }
    return sum
  }
}

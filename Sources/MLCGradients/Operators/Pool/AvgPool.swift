import MLCCore
import MLCGraph
import MLCOps

/// Each element has the gradients of the windows that it lies under, over how many elements each counts.
extension AvgPool: Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    places(inputs) == nil ? WindowPlaces.obstacle : nil
  }

  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x"), let places = places(context.facts) else { return }
    let x = context["x"]
    let g = try context.gradient()
    let shares = try context.value(.value(g) * (try shares(of: x, places, &context)))
    let shape = context.fact(g).shape
    let planes = try context.reshape(shares, [shape[0] * shape[1], 1] + shape[2...], sources: [x])
    let kernel = try context.ones([1, 1] + places.kernel, like: x)
    let sums = try context.scattered(planes, by: kernel, places, groups: 1)
    let back = try context.underShape(of: x, sums)
    try context.give(.value(back), to: x)
  }

  /// What each element of a window counts: a number, or `T[1, 1, *D′]`.
  ///
  /// The mean of ones over how many of them lie under the window, which is what a window divides by, whatever it counts
  /// as elements.
  private func shares(of x: ValueID, _ places: WindowPlaces, _ context: inout GradientContext) throws(Diagnostic)
    -> Formula
  {
    let isInside = zip(places.low, places.rest).allSatisfy { $0 <= 0 && $1 <= 0 }
    if isInside { return .number(1 / Double(places.kernel.reduce(1, *))) }
    let extents = try context.apply(Shape(start: 2, dtype: .int64), x)
    let shape = try context.concat([context.list([1, 1]), extents], axis: 0)
    let ones = try context.apply(Fill(), shape, context.scalar(1, like: x))
    let kernel = try context.ones([1, 1] + places.kernel, like: x)
    let counts = Formula.value(try context.read(ones, by: kernel, places, groups: 1))
    return (Formula.value(try context.apply(self, ones)) / counts).when(counts > 0)
  }

  private func places(_ inputs: Operands<Fact>) -> WindowPlaces? {
    let x = inputs["x"].shape
    guard let window = try? window(rank: x.count - 2), let y = try? window.extents(Array(x[2...])) else { return nil }
    return WindowPlaces(window, long: Array(x[2...]), short: y)
  }
}

extension OperationBuilder {
  fileprivate mutating func ones(_ shape: [Int], like x: ValueID) throws(Diagnostic) -> ValueID {
    let count = shape.reduce(1, *)
    return constant(Tensor(fact(x).dtype, shape, [Double](repeating: 1, count: count)), "ones")
  }
}

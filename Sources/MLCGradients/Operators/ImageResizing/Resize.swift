import MLCCore
import MLCGraph
import MLCOps

/// Along each axis results are sums of elements by factors that do not depend on them: the gradient is the sums by the
/// same factors the other way.
extension Resize: Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    let others = ["sizes", "scales", "roi"].compactMap { inputs[optional: $0] }
    guard inputs["x"].type.staticShape != nil, others.allSatisfy({ $0.value != nil }) else {
      return "where it samples is not known before run time; bind open sizes"
    }
    return aspectPolicy == "stretch" ? nil : "it keeps the aspect ratio"
  }

  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x") else { return }
    var g = try context.gradient()
    for (number, axis) in try resolvedAxes(rank: context.rank("x")).enumerated() {
      guard let extent = context.shape("x")[axis].constant else { continue }
      let factors = try self.factors(number, extent, context.facts)
      g = try context.contracted(g, axis, by: factors)
    }
    try context.give(.value(g), to: "x")
  }

  /// What each element of an axis counts in each result, `[results, elements]`: the rows of the unit matrix, resized.
  private func factors(_ number: Int, _ extent: Int, _ inputs: Operands<Fact>) throws(Diagnostic) -> Tensor {
    var op = self
    (op.axes, op.extrapolationValue) = ([0], 0)
    let unit = (0..<extent * extent).map { $0 / extent == $0 % extent ? 1.0 : 0 }
    func elements(_ port: String, _ places: [Int]) -> [Tensor] {
      guard let value = inputs[optional: port]?.value else { return [] }
      if value.dtype.isFloat { return [Tensor(value.dtype, [places.count], places.map { value.doubles[$0] })] }
      return [Tensor(value.dtype, [places.count], places.map { value.integers[$0] })]
    }
    let count = (inputs[optional: "roi"]?.value?.count ?? 0) / 2
    let operands = [
      [Tensor(.float64, [extent, extent], unit)], elements("sizes", [number]), elements("scales", [number]),
      elements("roi", [number, count + number]),
    ]
    return try op.evaluate(Operands(Self.portNames, operands))[0]
  }
}

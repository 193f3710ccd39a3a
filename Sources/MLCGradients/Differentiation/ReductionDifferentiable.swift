import MLCCore
import MLCGraph
import MLCOps

/// What a reduction makes one number of: the axes, in order, and how many elements they have.
package struct ReducedRow: Sendable {
  package let axes: [Int]
  package let count: Formula
}

/// A reduction by its derivative. `g` and `y` have an extent of 1 on the reduced axes, so that they broadcast to `x`.
package protocol ReductionDifferentiable: Differentiable, Reduction {
  /// `g · ∂y/∂x` for g = ∂ℓ/∂y.
  func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula
}

extension ReductionDifferentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let axes = try reducedAxes(rank: context.rank("x"))
    var (g, y) = (try context.gradient(), context.result())
    if !keepDims, !axes.isEmpty {
      g = try context.apply(ExpandDims(axes), g)
      y = try context.apply(ExpandDims(axes), y)
    }
    let row = ReducedRow(axes: axes, count: try context.count(of: context["x"], axes))
    try context.give(gradient(.value(g), x: .value(context["x"]), y: .value(y), row), to: "x")
  }
}

extension OperationBuilder {
  /// How many elements `axes` of `x` have: a number where that is known, else a scalar of the type of `x`.
  package mutating func count(of x: ValueID, _ axes: [Int]) throws(Diagnostic) -> Formula {
    if let count = axes.map({ fact(x).shape[$0] }).reduce(1, *).constant { return .number(Double(count)) }
    let product = try apply(ReduceProd(axes: [0]), try extents(of: x, at: axes))
    return .value(try converted(product, to: fact(x).dtype))
  }
}

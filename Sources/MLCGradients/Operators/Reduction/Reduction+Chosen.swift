import MLCCore
import MLCGraph
import MLCOps

// One element decides: all that are equal to it share the gradient, as in PyTorch's `amax` and `amin`.

extension ReduceMax: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula {
    shared(g, x, y, row.axes)
  }
}

extension ReduceMin: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula {
    shared(g, x, y, row.axes)
  }
}

extension ReductionDifferentiable {
  /// `g` divided among the elements of `x` that are `y`.
  fileprivate func shared(_ g: Formula, _ x: Formula, _ y: Formula, _ axes: [Int]) -> Formula {
    let share = Formula.scalar(1, like: x).when(x.equals(y))
    return g * share / share.sum(axes)
  }
}

import MLCCore
import MLCGraph
import MLCOps

extension ReduceSum: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula { g }
}

/// The mean of elements that are g each, of as many as there are of x.
extension ReduceMean: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula {
    g / row.count
  }
}

extension ReduceSumSquare: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula { g * x * 2 }
}

extension ReduceL1Norm: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula { g * x.applying(Sign()) }
}

/// 0 where the norm is.
extension ReduceL2Norm: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula { (g * x / y).when(y > 0) }
}

extension ReduceLogSum: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula { g / x.sum(row.axes) }
}

extension ReduceLogSumExp: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula { g * (x - y).exponential }
}

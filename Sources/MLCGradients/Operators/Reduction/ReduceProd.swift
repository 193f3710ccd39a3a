import MLCCore
import MLCGraph
import MLCOps

/// The product of the others: with p that of the elements that are not 0, `p/x` where no element is 0; where one alone
/// is, p at its place; else 0.
extension ReduceProd: ReductionDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula, _ row: ReducedRow) -> Formula {
    let isZero = x.equals(0)
    let one = Formula.scalar(1, like: x)
    let others = one.when(isZero, else: x)
    let product = others.applying(ReduceProd(axes: row.axes, keepDims: true))
    let zeros = one.when(isZero).sum(row.axes)
    let beside = (product / others).when(zeros.equals(0))
    return g * product.when(zeros.equals(1)).when(isZero, else: beside)
  }
}

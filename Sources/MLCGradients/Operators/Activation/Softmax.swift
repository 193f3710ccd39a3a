import MLCCore
import MLCGraph
import MLCOps

/// `y · (g − Σ g·y)`, the sum along the axis.
extension Softmax: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { y * (g - (g * y).sum([axis])) }
}

/// `g − eʸ · Σ g`, the sum along the axis.
extension LogSoftmax: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g - y.exponential * g.sum([axis]) }
}

import MLCCore
import MLCOps

/// `|x|`: the derivative is the sign, 0 at 0.
extension Abs: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * x.applying(Sign()) }
}

/// Numbers of another type have the gradients of these, rounded to theirs.
extension Cast: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g }
}

/// The bounds themselves pass gradients on, as PyTorch's `clamp` does.
extension Clip: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    g.when(x >= .number(alpha) && x <= .number(beta))
  }
}

/// `erf′ x = 2/√π · e^(−x²)`
extension Erf: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    g * .number(2 / Double.pi.squareRoot()) * (-x.squared).exponential
  }
}

extension Neg: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { -g }
}

import Glibc
import MLCCore
import MLCOps

// Powers, roots, exponentials and logarithms.

extension Exp: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * y }
}

extension Exp2: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * y * .number(log(2.0)) }
}

extension Log: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    epsilon == 0 ? g / x : g / (x + .number(epsilon))
  }
}

extension Inverse: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { -(g * y.squared) }
}

extension Square: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * x * 2 }
}

extension Sqrt: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g / (y * 2) }
}

/// `d/dx (x + ε)^(−1/2) = −y³/2`
extension Rsqrt: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * y * y.squared * -0.5 }
}

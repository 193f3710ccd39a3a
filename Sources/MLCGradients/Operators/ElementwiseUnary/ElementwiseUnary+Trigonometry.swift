import MLCCore
import MLCOps

// Circular and hyperbolic functions and their inverses.

extension Sin: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * x.applying(Cos()) }
}

extension Cos: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { -(g * x.applying(Sin())) }
}

extension Tan: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * (1 + y.squared) }
}

extension Asin: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g / (1 - x.squared).root }
}

extension Acos: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { -g / (1 - x.squared).root }
}

extension Atan: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g / (1 + x.squared) }
}

extension Sinh: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * x.applying(Cosh()) }
}

extension Cosh: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * x.applying(Sinh()) }
}

extension Tanh: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * (1 - y.squared) }
}

extension Asinh: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g / (x.squared + 1).root }
}

extension Acosh: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g / (x.squared - 1).root }
}

extension Atanh: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g / (1 - x.squared) }
}

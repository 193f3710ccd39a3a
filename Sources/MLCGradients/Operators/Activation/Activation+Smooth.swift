import MLCCore
import MLCOps

extension Sigmoid: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * y * (1 - y) }
}

/// With s = sigmoid x `dy/dx = s + y·(1 − s)`.
extension Silu: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    let s = x.applying(Sigmoid())
    return g * (s + y * (1 - s))
  }
}

extension Softplus: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g * x.applying(Sigmoid()) }
}

extension Softsign: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    g / (1 + x.applying(Abs())).squared
  }
}

/// With t = tanh(softplus x) `dy/dx = t + x·(1 − t²)·sigmoid x`.
extension Mish: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    let t = x.applying(Softplus()).applying(Tanh())
    return g * (t + x * (1 - t.squared) * x.applying(Sigmoid()))
  }
}

/// `α·eˣ = y + α` below 0.
extension Elu: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    g.when(x > 0, else: g * (y + .number(alpha)))
  }
}

/// `e^(x/α) = y/α + 1` below 0.
extension Celu: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    g.when(x > 0, else: g * (y * .number(1 / alpha) + 1))
  }
}

/// `γ·α·eˣ = y + γ·α` below 0.
extension Selu: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    (g * .number(gamma)).when(x > 0, else: g * (y + .number(gamma * alpha)))
  }
}

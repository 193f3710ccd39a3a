import MLCCore
import MLCOps

// What bends at one number or two; there the derivative is that of PyTorch.

extension Relu: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.when(x > 0) }
}

extension Relu6: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.when(x > 0 && x < 6) }
}

extension ThresholdedRelu: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.when(x > .number(alpha)) }
}

extension LeakyRelu: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    g.when(x > 0, else: g * .number(alpha))
  }
}

extension SigmoidHard: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    (g * .number(alpha)).when(y > 0 && y < 1)
  }
}

/// Between −3 and 3 `y = x²/6 + x/2`.
extension HardSwish: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    (g * (x * .number(1.0 / 3) + 0.5)).when(x > -3).when(x < 3, else: g)
  }
}

extension Prelu: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = Formula.value(try context.gradient())
    let (x, alpha) = (Formula.value(context["x"]), Formula.value(context["alpha"]))
    try context.give(g.when(x > 0, else: g * alpha), to: "x")
    try context.give((g * x).when(x < 0), to: "alpha")
  }
}

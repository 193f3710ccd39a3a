import MLCCore
import MLCGraph
import MLCOps

/// `∂z/∂x = y·x^(y−1)`, 0 where y is 0; `∂z/∂y = z·ln x`, 0 where x is 0 and y is not negative, NaN for negative x.
extension Pow: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = Formula.value(try context.gradient())
    let (x, z) = (Formula.value(context["x"]), Formula.value(context.result()))
    let y = Formula.value(try context.converted(context["y"], to: context.fact(context["x"]).dtype))
    try context.give((g * y * x.power(y - 1)).when(.result(NotEqual(), [y, 0])), to: "x")
    let isFlat = x.equals(0) && y >= 0
    try context.give(Formula.scalar(0, like: g).when(isFlat, else: g * z * x.applying(Log())), to: "y")
  }
}

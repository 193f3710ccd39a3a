import MLCCore
import MLCGraph
import MLCOps

/// The sums of the gradients where each of the two values stands.
extension OneHot: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    let (one, zero) = (context.scalar(1, like: g), context.scalar(0, like: g))
    let hot = Formula.value(try context.apply(self, context["indices"], context["depth"], one, zero))
    try context.give(.value(g) * hot, to: "on_value")
    try context.give(.value(g) * (1 - hot), to: "off_value")
  }
}

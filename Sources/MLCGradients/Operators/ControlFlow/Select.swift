import MLCCore
import MLCGraph
import MLCOps

extension Select: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = Formula.value(try context.gradient())
    let cond = Formula.value(context["cond"])
    try context.give(g.when(cond), to: "a")
    try context.give(Formula.scalar(0, like: g).when(cond, else: g), to: "b")
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// `∂ℓ/∂x = G·W`, `∂ℓ/∂W = Gᵀ·X` over all rows, `∂ℓ/∂bias = Σ G`.
extension Linear: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    try context.give(.value(g), to: "bias")
    if context.wants("x") { try context.give(.value(try context.apply(MatMul(), g, context["weight"])), to: "x") }
    if context.wants("weight") {
      let rows = try context.rows(g)
      let part = try context.apply(MatMul(transposeX: true), rows, try context.rows(context["x"]))
      try context.give(.value(part), to: "weight")
    }
  }
}

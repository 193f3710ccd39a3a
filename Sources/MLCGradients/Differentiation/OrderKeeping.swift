import MLCCore
import MLCGraph
import MLCOps

/// An operator whose result is the elements of `x` in their order, under some shape.
package protocol OrderKeeping: Differentiable {}

extension OrderKeeping {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    if context.fact(g).shape == context.shape("x") { return try context.give(.value(g), to: "x") }
    guard context.wants("x") else { return }
    let shape = try context.shapeList(of: context["x"])
    try context.give(.value(try context.apply(Reshape(allowZero: true), g, shape)), to: "x")
  }
}

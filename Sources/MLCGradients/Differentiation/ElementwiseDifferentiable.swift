import MLCCore
import MLCGraph
import MLCOps

/// An operator on the elements of `x`, by its derivative.
package protocol UnaryDifferentiable: Differentiable {
  /// `g · dy/dx` for g = ∂ℓ/∂y.
  func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula
}

extension UnaryDifferentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    let x = context["x"]
    try context.give(gradient(.value(g), x: .value(x), y: .value(context.result())), to: x)
  }
}

/// An operator on pairs of elements of `x` and `y`, by its derivatives. Both are of the result's element type.
package protocol BinaryDifferentiable: Differentiable {
  /// `g · ∂z/∂x` and `g · ∂z/∂y` for g = ∂ℓ/∂z.
  func gradients(_ g: Formula, x: Formula, y: Formula, z: Formula) -> (x: Formula, y: Formula)
}

extension BinaryDifferentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    let (x, y) = (context["x"], context["y"])
    let parts = gradients(.value(g), x: .value(x), y: .value(y), z: .value(context.result()))
    try context.give(parts.x, to: x)
    try context.give(parts.y, to: y)
  }
}

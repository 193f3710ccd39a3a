import MLCCore
import MLCGraph
import MLCOps

/// What was chosen has the gradient of its place.
extension TopK: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x") else { return }
    let zeros = try context.zeros(like: context["x"])
    let scatter = ScatterAlongAxis(axis: axis, mode: .add)
    let g = try context.gradient()
    try context.give(.value(try context.apply(scatter, zeros, context.result(1), g)), to: "x")
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// The first largest element of a window has its gradient, as in PyTorch and TensorFlow.
extension MaxPool: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x") else { return }
    let x = context["x"]
    let g = try context.gradient()
    let count = context.fact(g).type.elementCount
    let places = try context.reshape(try places(of: x, &context), [count])
    let zeros = try context.zeros(like: x)
    let line = try context.reshape(zeros, [context.fact(x).type.elementCount])
    let scatter = ScatterAlongAxis(axis: 0, mode: .add)
    let sums = try context.apply(scatter, line, places, try context.reshape(g, [count]))
    let back = try context.underShape(of: x, sums)
    try context.give(.value(back), to: x)
  }

  /// Where in the row-major data each largest element is.
  private func places(of x: ValueID, _ context: inout GradientContext) throws(Diagnostic) -> ValueID {
    if returnIndices, !columnMajorIndices { return context.result(1) }
    var op = self
    (op.returnIndices, op.columnMajorIndices) = (true, false)
    return try context.results(op, [[x]])[1]
  }
}

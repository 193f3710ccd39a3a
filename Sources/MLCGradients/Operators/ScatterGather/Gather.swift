import MLCCore
import MLCGraph
import MLCOps

/// Elements that were read several times have the sum of their gradients.
extension Gather: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x") else { return }
    let (x, indices) = (context["x"], context["indices"])
    let axis = try normalized(axis: axis, rank: context.rank("x"), "gather")
    var g = try context.gradient()
    let (shape, own) = (context.fact(g).shape, context.fact(indices).shape)
    // The indices as one axis, where x has its own.
    let count = own[batchDims...].reduce(1, *)
    let flat = shape[..<axis] + [count] + shape[(axis + own.count - batchDims)...]
    g = try context.reshape(g, Array(flat), sources: [indices])
    let ones = (axis - batchDims, context.rank("x") - axis - 1)
    let lined = own[..<batchDims] + [Dim](repeating: 1, count: ones.0) + [count] + [Dim](repeating: 1, count: ones.1)
    let line = try context.reshape(indices, Array(lined))
    let places = try context.apply(BroadcastTo(), line, try context.shapeList(of: g))
    let zeros = try context.zeros(like: x)
    try context.give(.value(try context.apply(ScatterAlongAxis(axis: axis, mode: .add), zeros, places, g)), to: x)
  }
}

extension GatherAlongAxis: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x") else { return }
    let zeros = try context.zeros(like: context["x"])
    let scatter = ScatterAlongAxis(axis: axis, mode: .add)
    let g = try context.gradient()
    try context.give(.value(try context.apply(scatter, zeros, context["indices"], g)), to: "x")
  }
}

extension GatherNd: Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    batchDims == 0 ? nil : "it has axes that both operands go along"
  }

  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x") else { return }
    let zeros = try context.zeros(like: context["x"])
    let g = try context.gradient()
    try context.give(.value(try context.apply(ScatterNd(mode: .add), zeros, context["indices"], g)), to: "x")
  }
}

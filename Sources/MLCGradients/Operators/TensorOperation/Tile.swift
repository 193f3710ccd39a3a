import MLCCore
import MLCGraph
import MLCOps

/// The sum over the repetitions.
extension Tile: Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    inputs["reps"].value == nil ? "how often it repeats is not known before run time" : nil
  }

  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x"), let reps = context.fact(context["reps"]).value?.integers else { return }
    let x = context["x"]
    var (shape, summed): ([Dim], [Int]) = ([], [])
    for (extent, count) in zip(context.shape("x"), reps) {
      if count != 1 {
        summed.append(shape.count)
        shape.append(Dim(count))
      }
      shape.append(extent)
    }
    var g = try context.gradient()
    if !summed.isEmpty {
      g = try context.apply(ReduceSum(axes: summed), try context.reshape(g, shape, sources: [x]))
    }
    try context.give(.value(g), to: x)
  }
}

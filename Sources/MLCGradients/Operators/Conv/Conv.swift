import MLCCore
import MLCGraph
import MLCOps

/// The data's gradient is a transposed convolution of G by the weight, the weight's a correlation of the data with G.
extension Conv: Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    places(inputs) == nil ? WindowPlaces.obstacle : nil
  }

  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard let places = places(context.facts) else { return }
    let g = try context.gradient()
    if context.wants("x") {
      try context.give(.value(try context.scattered(g, by: context["weight"], places, groups: groups)), to: "x")
    }
    if context.wants("weight") {
      try context.give(.value(try context.correlated(context["x"], with: g, places, groups: groups)), to: "weight")
    }
    try context.giveChannels(g, to: "bias")
  }

  private func places(_ inputs: Operands<Fact>) -> WindowPlaces? {
    let (x, weight) = (inputs["x"].shape, inputs["weight"].shape)
    guard let window = try? window(weight: weight), let y = try? window.extents(Array(x[2...])) else { return nil }
    return WindowPlaces(window, long: Array(x[2...]), short: y)
  }
}

extension GradientContext {
  /// What is known of the operands.
  package var facts: Operands<Fact> {
    Operands(type(of: operation.op).portNames, operation.inputs.map { $0.map { fact($0) } })
  }

  /// Gives a vector over the channels of `[N, C, *D]` the sums of `gradient` over the other axes.
  mutating func giveChannels(_ gradient: ValueID, to port: String) throws(Diagnostic) {
    guard wants(port) else { return }
    let others = (0..<fact(gradient).rank).filter { $0 != 1 }
    try give(.value(try apply(ReduceSum(axes: others), gradient)), to: port)
  }
}

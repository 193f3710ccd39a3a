import MLCCore
import MLCGraph
import MLCOps

/// The data's gradient is a convolution of G by the weight, the weight's a correlation of G with the data.
extension ConvTranspose: Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    if padType.hasPrefix("same"), outputPadding.contains(where: { $0 != 0 }) {
      return "it has output_padding beside pad_type '\(padType)'"
    }
    return places(inputs) == nil ? WindowPlaces.obstacle : nil
  }

  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    guard let places = places(context.facts) else { return }
    let g = try context.gradient()
    if context.wants("x") {
      try context.give(.value(try context.read(g, by: context["weight"], places, groups: groups)), to: "x")
    }
    if context.wants("weight") {
      try context.give(.value(try context.correlated(g, with: context["x"], places, groups: groups)), to: "weight")
    }
    try context.giveChannels(g, to: "bias")
  }

  private func places(_ inputs: Operands<Fact>) -> WindowPlaces? {
    let (x, weight) = (inputs["x"].shape, inputs["weight"].shape)
    guard let y = try? infer(inputs)[0].shape,
      let window = try? SpatialWindow(
        "conv_transpose",
        kernel: Array(weight[2...]),
        strides: strides,
        dilations: dilations,
        pad: pad,
        padType: padType
      )
    else { return nil }
    return WindowPlaces(window, long: Array(y[2...]), short: Array(x[2...]))
  }
}

import MLCCore
import MLCGraph

/// Cross-correlation over one to three spatial axes.
///
/// `x: T[N, C, *D]`, `weight: T[M, C/groups, *K]`, `bias: T[M]?` → `y: T[N, M, *D′]`, T floating point:
/// `y[n, m, o] = bias[m] + Σ x[n, g·C/groups + c, o·stride + k·dilation − low] · weight[m, c, k]` over c and k, with
/// g = ⌊m·groups / M⌋; outside the data x is 0. `D′` and `pad_type`: `SpatialWindow`.
/// Throws `conv.rank`, `conv.groups`, `conv.channels`, `conv.bias`, `conv.dtype` and what the window throws.
/// Source: MIL `conv`, ONNX `Conv`.
package struct Conv: Operator {
  package var strides: [Int] = [], dilations: [Int] = [], pad: [Int] = []
  package var padType = "custom"
  package var groups = 1

  package static let schema = Schema<Conv>(
    "conv",
    [
      .input("x", rank: 3...5),
      .input("weight", rank: 3...5),
      .input("bias", rank: 1...1, optional: true),
      .attribute("strides", \.strides),
      .attribute("dilations", \.dilations),
      .attribute("pad_type", \.padType),
      .attribute("pad", \.pad),
      .attribute("groups", \.groups),
    ]
  )

  package init() {}

  /// The window for `weight` of this shape.
  package func window(weight: [Dim]) throws(Diagnostic) -> SpatialWindow {
    try SpatialWindow(
      "conv",
      kernel: Array(weight[2...]),
      strides: strides,
      dilations: dilations,
      pad: pad,
      padType: padType
    )
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    try requireFloat(x, "x")
    try requireSameType(weight, "weight", as: x)
    try requireSameType(inputs[optional: "bias"], "bias", as: x)
    let shape = try resultShape(x, weight)
    try requireVector(inputs[optional: "bias"], "bias", weight.shape[0])
    return [Fact(x.dtype, shape)]
  }

  /// The shape of the result for `x` and `weight`, whatever their element types.
  func resultShape(_ x: Fact, _ weight: Fact) throws(Diagnostic) -> [Dim] {
    guard x.rank == weight.rank else {
      throw Diagnostic("conv.rank", "the data is \(x.type), but the weight is \(weight.type)")
    }
    guard groups >= 1, weight.shape[0].constant.map({ $0 % groups == 0 }) ?? true else {
      throw Diagnostic("conv.groups", "\(weight.shape[0]) output channels do not divide into \(groups) groups")
    }
    guard fits(x.shape[1], weight.shape[1] * Dim(groups)) else {
      let grouped = groups == 1 ? "" : " in each of \(groups) groups"
      throw Diagnostic("conv.channels", "\(x.shape[1]) input channels, weight expects \(weight.shape[1])\(grouped)")
    }
    return [x.shape[0], weight.shape[0]] + (try window(weight: weight.shape).extents(Array(x.shape[2...])))
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    let shape = try resultShapes(inputs)[0]
    let walk = SpatialWalk(
      try window(weight: weight.type.shape),
      input: Array(x.shape[2...]),
      output: Array(shape[2...])
    )
    let reference = ConvolutionReference(walk: walk, groups: groups, outputChannels: shape[1], channels: x.shape[1])
    return [reference.evaluate(x, weight, bias: inputs[optional: "bias"], shape)]
  }
}

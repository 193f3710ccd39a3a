import MLCCore
import MLCGraph

/// Transposed convolution over one to three spatial axes: the gradient of `conv` with respect to its data.
///
/// `x: T[N, C, *D]`, `weight: T[C, M/groups, *K]`, `bias: T[M]?` → `y: T[N, M, *D′]`, T floating point: each `x[n, c,
/// i] · weight[c, m, k]` is added to `y[n, m, i·stride + k·dilation − low]` where that exists; then the bias. `D′ = (D
/// − 1)·stride + (K − 1)·dilation + 1 + output_padding − low − high`; with `pad_type` `same` and `same_lower` `D′ =
/// D·stride`, the odd element of padding at the end or the start. `output_shape`, when not empty, is the whole result
/// shape and only cuts or extends the end. `output_padding` is an mlc extension. Throws `conv_transpose.rank`,
/// `.groups`, `.channels`, `.bias`, `.dtype`, `.output-padding`, `.output-shape` and what the window throws. Source:
/// MIL `conv_transpose`, ONNX `ConvTranspose`.
package struct ConvTranspose: Operator {
  package var strides: [Int] = [], dilations: [Int] = [], pad: [Int] = []
  package var padType = "custom"
  package var groups = 1
  package var outputPadding: [Int] = [], outputShape: [Int] = []

  package static let schema = Schema<ConvTranspose>(
    "conv_transpose",
    [
      .input("x", rank: 3...5),
      .input("weight", rank: 3...5),
      .input("bias", rank: 1...1, optional: true),
      .attribute("strides", \.strides),
      .attribute("dilations", \.dilations),
      .attribute("pad_type", \.padType),
      .attribute("pad", \.pad),
      .attribute("groups", \.groups),
      .attribute("output_padding", \.outputPadding),
      .attribute("output_shape", \.outputShape),
    ]
  )

  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    try requireFloat(x, "x")
    try requireSameType(weight, "weight", as: x)
    try requireSameType(inputs[optional: "bias"], "bias", as: x)
    guard x.rank == weight.rank else {
      throw Diagnostic("conv_transpose.rank", "the data is \(x.type), but the weight is \(weight.type)")
    }
    guard groups >= 1, weight.shape[0].constant.map({ $0 % groups == 0 }) ?? true else {
      throw Diagnostic("conv_transpose.groups", "\(weight.shape[0]) input channels do not divide into \(groups) groups")
    }
    guard fits(x.shape[1], weight.shape[0]) else {
      throw Diagnostic("conv_transpose.channels", "\(x.shape[1]) input channels, weight expects \(weight.shape[0])")
    }
    let channels = weight.shape[1] * Dim(groups)
    try requireVector(inputs[optional: "bias"], "bias", channels)
    let shape = [x.shape[0], channels] + (try extents(x.shape, weight.shape))
    if outputShape.isEmpty { return [Fact(x.dtype, shape)] }
    guard outputShape.count == x.rank, outputShape.allSatisfy({ $0 >= 0 }),
      fits(shape[0], Dim(outputShape[0])), fits(shape[1], Dim(outputShape[1]))
    else {
      throw Diagnostic("conv_transpose.output-shape", "output_shape \(outputShape) is no shape for \(x.type)")
    }
    return [Fact(x.dtype, outputShape.map { Dim($0) })]
  }

  private func extents(_ x: [Dim], _ weight: [Dim]) throws(Diagnostic) -> [Dim] {
    let window = try self.window(x, weight)
    guard outputPadding.isEmpty || outputPadding.count == x.count - 2,
      outputPadding.allSatisfy({ $0 >= 0 && $0 <= Int(Int32.max) })
    else {
      throw Diagnostic("conv_transpose.output-padding", "output_padding is \(outputPadding)")
    }
    return window.kernel.indices.map { axis in
      let extra = outputPadding.isEmpty ? 0 : Dim(outputPadding[axis])
      let whole = (x[axis + 2] - 1) * Dim(window.strides[axis]) + window.dilated(axis) + extra
      return whole - Dim(window.pad[2 * axis]) - Dim(window.pad[2 * axis + 1])
    }
  }

  /// The window with explicit padding: for `same`, what the whole result exceeds `D·stride` by.
  private func window(_ x: [Dim], _ weight: [Dim]) throws(Diagnostic) -> SpatialWindow {
    let kernel = Array(weight[2...])
    func made(_ pad: [Int], _ type: String) throws(Diagnostic) -> SpatialWindow {
      try SpatialWindow(
        "conv_transpose",
        kernel: kernel,
        strides: strides,
        dilations: dilations,
        pad: pad,
        padType: type
      )
    }
    guard padType.hasPrefix("same") else { return try made(pad, padType) }
    let bare = try made([], padType)
    var same: [Int] = []
    for axis in kernel.indices {
      let extra = axis < outputPadding.count ? outputPadding[axis] : 0
      guard let extent = bare.dilated(axis).constant, extent + extra >= bare.strides[axis] else {
        let message = "pad_type '\(padType)' needs a kernel of known extent, at least the stride"
        throw Diagnostic("conv_transpose.pad-type", message, kind: .unsupported)
      }
      let total = extent + extra - bare.strides[axis]
      let low = padType == "same" ? total / 2 : total - total / 2
      same += [low, total - low]
    }
    return try made(same, "custom")
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    let shape = try resultShapes(inputs)[0]
    let window = try self.window(x.type.shape, weight.type.shape)
    var walk = SpatialWalk(window, input: Array(x.shape[2...]), output: Array(shape[2...]))
    walk.transposed = true
    let reference = ConvolutionReference(walk: walk, groups: groups, outputChannels: shape[1], channels: x.shape[1])
    return [reference.evaluate(x, weight, bias: inputs[optional: "bias"], shape)]
  }
}

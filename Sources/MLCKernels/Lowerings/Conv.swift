import MLCCore
import MLCGraph
import MLCOps

extension Conv: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, weight) = (context.fact("x").shape, context.fact("weight").shape)
    let window = try window(weight: weight)
    let spatial = Array(x[2...])
    context.requireEqual(x[1], weight[1] * Dim(groups))
    context.requireMultiple(weight[0], of: groups)
    context.requireShape([weight[0]], of: "bias")
    context.requireRoom(for: window, in: spatial)
    let padding = spatial.enumerated().map { window.padding($0, input: $1) }
    let fixed = padding.compactMap { pair in
      pair.low.constant.flatMap { low in pair.high.constant.map { (low: low, high: $0) } }
    }
    if spatial.count <= 2 && fixed.count == spatial.count {
      lowerPlanar(window, fixed, in: &context)
    } else {
      lowerLoops(window, padding.map { $0.low }, in: &context)
    }
  }

  /// One- and two-dimensional: the convolution of the kernel vocabulary.
  private func lowerPlanar(
    _ window: SpatialWindow,
    _ padding: [(low: Int, high: Int)],
    in context: inout LoweringContext
  ) {
    let isFlat = padding.count == 1
    func planar(_ shape: [Dim]) -> [Dim] { isFlat ? [shape[0], shape[1], 1, shape[2]] : shape }
    func pair(_ values: [Int]) -> Convolution.Pair { isFlat ? .init(1, values[0]) : .init(values[0], values[1]) }
    let x = context.alias(context.input("x"), planar(context.fact("x").shape))
    let weight = context.planarWeight(context.input("weight"), planar)
    let kernel = context.program[weight].shape
    let result = context.outputFact()
    let output = isFlat ? context.temporary("planar", result.dtype, planar(result.shape)) : context.output()
    if isFlat { context.setOutput(to: output) }
    var params = KernelParams()
    var convolution = Convolution(
      x: params.read(x),
      weight: params.read(weight),
      output: params.write(output),
      groups: groups,
      kernel: .init(kernel[2].constant ?? 0, kernel[3].constant ?? 0),
      strides: pair(window.strides),
      dilations: pair(window.dilations),
      top: isFlat ? 0 : padding[0].low,
      bottom: isFlat ? 0 : padding[0].high,
      left: padding.last!.low,
      right: padding.last!.high
    )
    if let bias = context.optionalInput("bias") {
      convolution.epilogue = .accumulator + params.load(bias, [.axis(1)])
    }
    context.append("conv", params, .convolution(convolution))
  }

  private func lowerLoops(_ window: SpatialWindow, _ low: [Dim], in context: inout LoweringContext) {
    var params = KernelParams()
    let (x, weight, output) = (context.input("x"), context.input("weight"), context.output())
    let epilogue = context.optionalInput("bias").map { .accumulator + params.load($0, [.axis(1)]) } ?? .accumulator
    let loops = ConvolutionLoops(
      x: (params.read(x), context.program[x].shape),
      weight: (params.read(weight), context.program[weight].shape),
      output: (params.write(output), context.program[output].shape),
      strides: window.strides,
      dilations: window.dilations,
      low: low,
      isPadded: low.contains { $0 != 0 } || window.padType != "valid",
      groups: groups,
      epilogue: epilogue,
      dtype: context.program[x].dtype.widened
    )
    context.append("conv", params, .loopNest(loops.nest))
  }
}

extension LoweringContext {
  /// A constant weight stays a constant under its new shape; others become an alias.
  mutating func planarWeight(_ weight: TensorID, _ planar: ([Dim]) -> [Dim]) -> TensorID {
    let shape = planar(program[weight].shape)
    if case .constant(let value) = program[weight].kind, let extents = TensorType(value.dtype, shape).staticShape {
      return constant(value.reshaped(extents), "weight")
    }
    if case .compressed(let value) = program[weight].kind, shape.count == value.shape.count + 1 {
      let grown = value.insertingAxis(2)
      return program.add(KernelTensor(program[weight].name, value.dtype, shape, .compressed(grown)))
    }
    return alias(weight, shape)
  }
}

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
    let input = context.input("x")
    guard spatial.count <= 3 else { return lowerLoops(padded(input, padding, in: &context), window, in: &context) }
    if fixed.count == spatial.count { return lowerSpatial(input, window, fixed, in: &context) }
    let none = spatial.map { _ in (low: 0, high: 0) }
    lowerSpatial(padded(input, padding, in: &context), window, none, in: &context)
  }

  /// A copy of `x` with zeros around it: padding of open size is not the convolution's, nor that of loops.
  private func padded(
    _ x: TensorID,
    _ padding: [(low: Dim, high: Dim)],
    in context: inout LoweringContext
  ) -> TensorID {
    if padding.allSatisfy({ $0.low == 0 && $0.high == 0 }) { return x }
    let (shape, dtype) = (context.program[x].shape, context.program[x].dtype)
    let nest = LoopNest.padding(padding, around: shape, dtype)
    let result = context.temporary("padded", dtype, nest.axes.map(\.extent))
    var params = KernelParams()
    (_, _) = (params.read(x), params.write(result))
    context.append("pad", params, .loopNest(nest))
    return result
  }

  /// One-, two- and three-dimensional: the convolution of the kernel vocabulary.
  private func lowerSpatial(
    _ x: TensorID,
    _ window: SpatialWindow,
    _ padding: [(low: Int, high: Int)],
    in context: inout LoweringContext
  ) {
    let isFlat = padding.count == 1
    func planar(_ shape: [Dim]) -> [Dim] { isFlat ? [shape[0], shape[1], 1, shape[2]] : shape }
    func pair(_ values: [Int]) -> Convolution.Pair {
      isFlat ? .init(1, values[0]) : .init(values[values.count - 2], values[values.count - 1])
    }
    let x = context.alias(x, planar(context.program[x].shape))
    let weight = context.planarWeight(context.input("weight"), planar)
    let kernel = Array(context.program[weight].shape.dropFirst(2)).map { $0.constant ?? 0 }
    let result = context.outputFact()
    let output = isFlat ? context.temporary("planar", result.dtype, planar(result.shape)) : context.output()
    if isFlat { context.setOutput(to: output) }
    var params = KernelParams()
    var convolution = Convolution(
      x: params.read(x),
      weight: params.read(weight),
      output: params.write(output),
      groups: groups,
      kernel: .init(kernel[kernel.count - 2], kernel[kernel.count - 1]),
      strides: pair(window.strides),
      dilations: pair(window.dilations),
      top: isFlat ? 0 : padding[padding.count - 2].low,
      bottom: isFlat ? 0 : padding[padding.count - 2].high,
      left: padding.last!.low,
      right: padding.last!.high,
      depth: padding.count < 3 ? nil : depth(window, padding[0], kernel: kernel[0])
    )
    if let bias = context.optionalInput("bias") {
      convolution.epilogue = .accumulator + params.load(bias, [.axis(1)])
    }
    context.append("conv", params, .convolution(convolution))
  }

  private func depth(_ window: SpatialWindow, _ padding: (low: Int, high: Int), kernel: Int) -> Convolution.Depth {
    .init(
      kernel: kernel,
      stride: window.strides[0],
      dilation: window.dilations[0],
      front: padding.low,
      back: padding.high
    )
  }

  /// More dimensions than convolutions have.
  private func lowerLoops(_ x: TensorID, _ window: SpatialWindow, in context: inout LoweringContext) {
    var params = KernelParams()
    let (weight, output) = (context.input("weight"), context.output())
    let epilogue = context.optionalInput("bias").map { .accumulator + params.load($0, [.axis(1)]) } ?? .accumulator
    let loops = ConvolutionLoops(
      x: (params.read(x), context.program[x].shape),
      weight: (params.read(weight), context.program[weight].shape),
      output: (params.write(output), context.program[output].shape),
      strides: window.strides,
      dilations: window.dilations,
      groups: groups,
      epilogue: epilogue
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

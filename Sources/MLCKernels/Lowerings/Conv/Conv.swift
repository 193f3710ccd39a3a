import MLCCore
import MLCGraph
import MLCOps

extension Conv: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let reads = Reads(
      x: context.input("x"),
      weight: context.input("weight"),
      addend: context.optionalInput("bias"),
      family: "conv"
    )
    try lower(reads, in: &context)
  }

  /// What the kernels of a convolution read.
  struct Reads {
    var x: TensorID, weight: TensorID
    /// A number for each output channel, of the type of the sums.
    var addend: TensorID?
    var family: String
    /// What x is in its padding.
    var fill = 0
  }

  /// The convolution of other tensors than the operation's, in their shapes.
  func lower(_ reads: Reads, in context: inout LoweringContext) throws(Diagnostic) {
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
    if spatial.count <= 3, fixed.count == spatial.count { return lowerSpatial(reads, window, fixed, in: &context) }
    var padded = reads
    padded.x = self.padded(reads, padding, in: &context)
    if spatial.count > 3 { return lowerLoops(padded, window, in: &context) }
    lowerSpatial(padded, window, spatial.map { _ in (low: 0, high: 0) }, in: &context)
  }

  /// A copy of x with its padding around it: padding of open size is not the convolution's, nor that of loops.
  private func padded(
    _ reads: Reads,
    _ padding: [(low: Dim, high: Dim)],
    in context: inout LoweringContext
  ) -> TensorID {
    let x = reads.x
    if padding.allSatisfy({ $0.low == 0 && $0.high == 0 }) { return x }
    let (shape, dtype) = (context.program[x].shape, context.program[x].dtype)
    let nest = LoopNest.padding(padding, around: shape, dtype, fill: reads.fill)
    let result = context.temporary("padded", dtype, nest.axes.map(\.extent))
    var params = KernelParams()
    (_, _) = (params.read(x), params.write(result))
    context.append("pad", params, .loopNest(nest))
    return result
  }

  /// One-, two- and three-dimensional: the convolution of the kernel vocabulary.
  private func lowerSpatial(
    _ reads: Reads,
    _ window: SpatialWindow,
    _ padding: [(low: Int, high: Int)],
    in context: inout LoweringContext
  ) {
    let isFlat = padding.count == 1
    func planar(_ shape: [Dim]) -> [Dim] { isFlat ? [shape[0], shape[1], 1, shape[2]] : shape }
    func pair(_ values: [Int]) -> Convolution.Pair {
      isFlat ? .init(1, values[0]) : .init(values[values.count - 2], values[values.count - 1])
    }
    let x = context.alias(reads.x, planar(context.program[reads.x].shape))
    let weight = context.planarWeight(reads.weight, planar)
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
      fill: reads.fill,
      depth: padding.count < 3 ? nil : depth(window, padding[0], kernel: kernel[0])
    )
    if let addend = reads.addend { convolution.epilogue = .accumulator + params.load(addend, [.axis(1)]) }
    context.append(reads.family, params, .convolution(convolution))
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
  private func lowerLoops(_ reads: Reads, _ window: SpatialWindow, in context: inout LoweringContext) {
    var params = KernelParams()
    let (x, weight, output) = (reads.x, reads.weight, context.output())
    let epilogue = reads.addend.map { .accumulator + params.load($0, [.axis(1)]) } ?? .accumulator
    let loops = ConvolutionLoops(
      x: (params.read(x), context.program[x].shape),
      weight: (params.read(weight), context.program[weight].shape),
      output: (params.write(output), context.program[output].shape),
      strides: window.strides,
      dilations: window.dilations,
      groups: groups,
      areBytes: context.program[x].dtype.bitWidth == 8,
      epilogue: epilogue
    )
    context.append(reads.family, params, .loopNest(loops.nest))
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

import MLCCore
import MLCGraph
import MLCOps

extension ConvTranspose: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let spatial = context.fact("x").shape.count - 2
    let strides = self.strides.isEmpty ? [Int](repeating: 1, count: spatial) : self.strides
    let dilations = self.dilations.isEmpty ? [Int](repeating: 1, count: spatial) : self.dilations
    let low = try lowPadding(spatial, strides, dilations, in: context)
    if spatial == 2, dilations == [1, 1], context.fact("weight").isConstant, context.fact("weight").dtype.isFloat,
      let low = Optional(low.compactMap(\.constant)), low.count == 2, SubPixel.fits(context, strides, low),
      let weight = context.writtenOut("weight", because: "its taps are sorted by phase")
    {
      return try SubPixel(weight: weight, strides: strides, low: low, groups: groups).lower(in: &context)
    }
    lowerLoops(strides, dilations, low, in: &context)
  }

  /// Rows of the full result that are cut off at its start.
  private func lowPadding(
    _ rank: Int,
    _ strides: [Int],
    _ dilations: [Int],
    in context: LoweringContext
  ) throws(Diagnostic) -> [Dim] {
    guard padType.hasPrefix("same") else {
      return (0..<rank).map { padType == "custom" && !pad.isEmpty ? Dim(pad[2 * $0]) : 0 }
    }
    let (x, weight) = (context.fact("x").shape, context.fact("weight").shape)
    return (0..<rank).map { axis in
      let full = (x[2 + axis] - 1) * Dim(strides[axis]) + (weight[2 + axis] - 1) * Dim(dilations[axis]) + 1
      let total = Dim.max(0, full - x[2 + axis] * Dim(strides[axis]))
      return padType == "same" ? total.floorDiv(2) : total - total.floorDiv(2)
    }
  }

  /// Each output gathers the inputs that reach it: `o + low − k·dilation` must be a multiple of the stride.
  private func lowerLoops(_ strides: [Int], _ dilations: [Int], _ low: [Dim], in context: inout LoweringContext) {
    var params = KernelParams()
    let (x, weight, output) = (context.input("x"), context.input("weight"), context.output())
    let (input, kernel, result) = (
      context.program[x].shape, context.program[weight].shape, context.program[output].shape
    )
    let dtype = context.program[x].dtype.widened
    let rank = result.count
    let axes = result.enumerated().map { Axis($0, $1) }
    let channels = input[1].floorDiv(Dim(groups))
    let window = [Axis(rank, channels)] + strides.indices.map { Axis(rank + 1 + $0, kernel[2 + $0]) }
    let group: Index = groups == 1 ? .constant(0) : Index.axis(1).dividedFloor(by: kernel[1])
    let channel = group * channels + .axis(rank)
    let reach = strides.indices.map { axis in
      Index.axis(2 + axis) + .dim(low[axis]) + Index.axis(rank + 1 + axis) * Dim(-dilations[axis])
    }
    let places = reach.enumerated().map { $1.dividedFloor(by: Dim(strides[$0])) }
    var test = Scalar.inside(places.enumerated().map { (index: $1, extent: input[2 + $0]) })
    for (axis, stride) in strides.enumerated() where stride != 1 {
      let rest = Scalar.index(reach[axis].modulo(Dim(stride)), .int64)
      test = .binary(.logicalAnd, .compare(.equal, rest, .integer(0, .int64)), test)
    }
    let taps = strides.indices.map { Index.axis(rank + 1 + $0) }
    let within: Index = groups == 1 ? .axis(1) : Index.axis(1).modulo(kernel[1])
    let product = params.load(x, [.axis(0), channel] + places) * params.load(weight, [channel, within] + taps)
    let bias = context.optionalInput("bias").map { params.load($0, [.axis(1)]) }
    let stages: [LoopNest.Stage] = [
      .reduce(.sum, axes: window, value: .select(test, product, .number(0, dtype))),
      .store(
        param: params.write(output),
        index: axes.map { .axis($0.id) },
        axes: [],
        value: bias.map { .stage(0) + $0 } ?? .stage(0)
      ),
    ]
    context.append("conv_transpose", params, .loopNest(LoopNest(axes, stages)))
  }
}

/// A transposed convolution as an ordinary one that computes every phase of the stride as a channel, and a rearrangement
/// of those channels into pixels.
///
/// With `o + low = stride·q + r`, output o takes the taps `k = r + stride·t` at inputs `q − t`: for each phase r a
/// convolution with ⌈K / stride⌉ taps.
private struct SubPixel {
  var weight: Tensor
  var strides: [Int], low: [Int]
  var groups: Int

  /// Whether sizes are such that the phases end at a fixed distance from the input's end.
  static func fits(_ context: LoweringContext, _ strides: [Int], _ low: [Int]) -> Bool {
    let (x, y) = (context.fact("x").shape, context.outputFact().shape)
    return (0..<2).allSatisfy { rows(y[2 + $0], strides[$0], low[$0], input: x[2 + $0]) != nil }
  }

  /// How many inputs past the end the last output reaches, when that is a number.
  private static func rows(_ output: Dim, _ stride: Int, _ low: Int, input: Dim) -> Int? {
    ((output - 1 + Dim(low)).floorDiv(Dim(stride)) + 1 - input).constant
  }

  func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, output) = (context.input("x"), context.output())
    let (input, result) = (context.program[x].shape, context.program[output].shape)
    let taps = (0..<2).map { (weight.shape[2 + $0] + strides[$0] - 1) / strides[$0] }
    let past = (0..<2).map { SubPixel.rows(result[2 + $0], strides[$0], low[$0], input: input[2 + $0])! }
    let phases = strides[0] * strides[1]
    let height = input[2] + Dim(max(past[0], 0))
    let width = input[3] + Dim(max(past[1], 0))
    let perGroup = weight.shape[1]
    let planes = context.temporary(
      "phases",
      context.program[x].dtype,
      [input[0], Dim(groups * phases * perGroup), height, width]
    )
    var params = KernelParams()
    let convolution = Convolution(
      x: params.read(x),
      weight: params.read(context.constant(phaseWeights(taps), "phases")),
      output: params.write(planes),
      groups: groups,
      kernel: .init(taps[0], taps[1]),
      strides: .init(1, 1),
      dilations: .init(1, 1),
      top: taps[0] - 1,
      bottom: max(past[0], 0),
      left: taps[1] - 1,
      right: max(past[1], 0)
    )
    context.append("conv_transpose", params, .convolution(convolution))
    let bias = context.optionalInput("bias")
    try context.map("shuffle", to: output) { (params, axes) throws(Diagnostic) in
      let place = (0..<2).map { axes[2 + $0] + .constant(low[$0]) }
      let phase = place[0].modulo(Dim(strides[0])) * Dim(strides[1]) + place[1].modulo(Dim(strides[1]))
      let group: Index = groups == 1 ? .constant(0) : axes[1].dividedFloor(by: Dim(perGroup))
      let within: Index = groups == 1 ? axes[1] : axes[1].modulo(Dim(perGroup))
      let channel = group * Dim(phases * perGroup) + phase * Dim(perGroup) + within
      let rows = (0..<2).map { place[$0].dividedFloor(by: Dim(strides[$0])) }
      let value = params.load(planes, [axes[0], channel, rows[0], rows[1]])
      return bias.map { value + params.load($0, [axes[1]]) } ?? value
    }
  }

  /// `[groups·phases·M/groups, C/groups, taps…]`, taps reversed, zeros where a phase has fewer taps.
  private func phaseWeights(_ taps: [Int]) -> Tensor {
    let (channels, outputs) = (weight.shape[0] / groups, weight.shape[1])
    let kernel = [weight.shape[2], weight.shape[3]]
    let values = weight.doubles
    var result: [Double] = []
    for g in 0..<groups {
      for phase in 0..<strides[0] * strides[1] {
        for m in 0..<outputs {
          for c in 0..<channels {
            for th in (0..<taps[0]).reversed() {
              for tw in (0..<taps[1]).reversed() {
                let (kh, kw) = (phase / strides[1] + strides[0] * th, phase % strides[1] + strides[1] * tw)
                let isTap = kh < kernel[0] && kw < kernel[1]
                let place = (((g * channels + c) * outputs + m) * kernel[0] + kh) * kernel[1] + kw
                result.append(isTap ? values[place] : 0)
              }
            }
          }
        }
      }
    }
    return Tensor(weight.dtype, [groups * strides[0] * strides[1] * outputs, channels] + taps, result)
  }
}

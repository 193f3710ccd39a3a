import MLCCore
import MLCGraph
import MLCOps

extension ConvTranspose: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, weight) = (context.fact("x").shape, context.fact("weight").shape)
    context.requireEqual(x[1], weight[0])
    context.requireMultiple(weight[0], of: groups)
    context.requireShape([weight[1] * Dim(groups)], of: "bias")
    for taps in weight[2...] { context.requireAtLeast(1, taps) }
    let spatial = x.count - 2
    let strides = self.strides.isEmpty ? [Int](repeating: 1, count: spatial) : self.strides
    let dilations = self.dilations.isEmpty ? [Int](repeating: 1, count: spatial) : self.dilations
    let low = try lowPadding(spatial, strides, dilations, in: context)
    let isKnown = weight.allSatisfy { $0.constant != nil }
    guard isKnown, spatial <= 3, context.fact("x").dtype.widened == .float32 else {
      return lowerLoops(strides, dilations, low, in: &context)
    }
    let operands = TransposedOperands(strides, dilations, low, groups: groups, &context)
    if try operands.lowerPhases(in: &context) { return }
    try operands.lowerSpread(in: &context)
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

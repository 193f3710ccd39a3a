import MLCCore
import MLCGraph

/// What a transposed convolution reads and writes, one-dimensional ones with a height of 1.
struct TransposedOperands {
  let x: TensorID, output: TensorID
  /// `[C, M/groups, K…]`.
  let weight: [Dim]
  let strides: [Int], dilations: [Int], groups: Int
  /// Rows of the full result that are cut off at its start.
  let low: [Dim]
  private let isLine: Bool

  /// Of one to three spatial axes.
  init(
    _ strides: [Int],
    _ dilations: [Int],
    _ low: [Dim],
    groups: Int,
    _ context: inout LoweringContext
  ) {
    isLine = strides.count == 1
    let result = context.outputFact()
    self.groups = groups
    weight = TransposedOperands.planar(context.fact("weight").shape, isLine)
    x = context.alias(context.input("x"), TransposedOperands.planar(context.fact("x").shape, isLine))
    (self.strides, self.dilations, self.low) =
      isLine
      ? ([1] + strides, [1] + dilations, [0] + low)
      : (strides, dilations, low)
    if isLine {
      output = context.temporary("planar", result.dtype, TransposedOperands.planar(result.shape, isLine))
      context.setOutput(to: output)
    } else {
      output = context.output()
    }
  }

  private static func planar(_ shape: [Dim], _ isLine: Bool) -> [Dim] {
    isLine ? [shape[0], shape[1], 1, shape[2]] : shape
  }

  /// Without dilation: phases of the stride by themselves, without a product too many. False where they do not fit.
  func lowerPhases(in context: inout LoweringContext) throws(Diagnostic) -> Bool {
    let (from, to) = (context.program[x].shape, context.program[output].shape)
    let cut = low.compactMap(\.constant)
    guard dilations.allSatisfy({ $0 == 1 }), cut.count == low.count, context.fact("weight").isConstant,
      context.fact("weight").dtype.isFloat, SubPixel.fits(from, to, strides, cut),
      let taps = context.writtenOut("weight", because: "its taps are sorted by phase")
    else { return false }
    let factors = taps.reshaped(weight.map { $0.constant! })
    let phases = SubPixel(x: x, output: output, weight: factors, strides: strides, low: cut, groups: groups)
    try phases.lower(in: &context)
    return true
  }

  /// As a convolution of the input with zeros between its elements by the weight turned round.
  ///
  /// Output o takes tap k at `o + low − k·dilation` of those elements; with `k′ = K − 1 − k` that is a window which
  /// starts `(K − 1)·dilation − low` before o. Where the stride is 1 the input itself is read, with padding.
  func lowerSpread(in context: inout LoweringContext) throws(Diagnostic) {
    let padding = padding(context)
    let (spread, turned) = (padding == nil ? try spread(&context) : x, try turned(&context))
    let (low, high) = padding ?? (self.low.map { _ in 0 }, self.low.map { _ in 0 })
    var params = KernelParams()
    let taps = weight.dropFirst(2).map { $0.constant! }
    let last = taps.count - 1
    var convolution = Convolution(
      x: params.read(spread),
      weight: params.read(turned),
      output: params.write(output),
      groups: groups,
      kernel: .init(taps[last - 1], taps[last]),
      strides: .init(1, 1),
      dilations: .init(dilations[last - 1], dilations[last]),
      top: low[last - 1],
      bottom: high[last - 1],
      left: low[last],
      right: high[last]
    )
    if taps.count == 3 {
      convolution.depth = .init(kernel: taps[0], stride: 1, dilation: dilations[0], front: low[0], back: high[0])
    }
    if let bias = context.optionalInput("bias") {
      convolution.epilogue = .accumulator + params.load(bias, [.axis(1)])
    }
    context.append("conv_transpose", params, .convolution(convolution))
  }

  /// How far windows reach beyond the input on both sides of each axis; `nil` where its elements are moved apart, some
  /// are passed over, or it is not known.
  private func padding(_ context: LoweringContext) -> (low: [Int], high: [Int])? {
    let extents = zip(context.program[x].shape, context.program[output].shape).dropFirst(2)
    let reach = dilations.enumerated().map { (weight[2 + $0] - 1) * Dim($1) }
    let before = zip(reach, low).compactMap { ($0 - $1).constant }
    let after = zip(extents, low).compactMap { ($0.1 + $1 - $0.0).constant }
    guard strides.allSatisfy({ $0 == 1 }), before.count == low.count, after.count == low.count,
      (before + after).allSatisfy({ $0 >= 0 })
    else { return nil }
    return (before, after)
  }

  /// The elements that windows over the output's positions read: the input's where the stride meets them, else 0.
  private func spread(_ context: inout LoweringContext) throws(Diagnostic) -> TensorID {
    let (input, dtype) = (context.program[x].shape, context.program[x].dtype)
    let reach = dilations.enumerated().map { (weight[2 + $0] - 1) * Dim($1) }
    let extents = context.program[output].shape.dropFirst(2).enumerated().map { $1 + reach[$0] }
    let result = context.temporary("spread", dtype, Array(input[..<2]) + extents)
    try context.map("spread", to: result) { (params, axes) throws(Diagnostic) in
      let places = strides.indices.map { axes[2 + $0] + .dim(low[$0] - reach[$0]) }
      let sources = places.enumerated().map { $1.dividedFloor(by: Dim(strides[$0])) }
      var test = Scalar.inside(sources.enumerated().map { (index: $1, extent: input[2 + $0]) })
      for (place, stride) in zip(places, strides) where stride != 1 {
        let rest = Scalar.index(place.modulo(Dim(stride)), .int64)
        test = .binary(.logicalAnd, .compare(.equal, rest, .integer(0, .int64)), test)
      }
      return .select(test, params.load(x, Array(axes[..<2]) + sources), .number(0, dtype.widened))
    }
    return result
  }

  /// The weight as that of a convolution, `[M, C/groups, K…]` with its taps the other way round.
  private func turned(_ context: inout LoweringContext) throws(Diagnostic) -> TensorID {
    let (outputs, channels) = (weight[1], weight[0].floorDiv(Dim(groups)))
    let shape = [outputs * Dim(groups), channels] + weight[2...]
    if let value = context.writtenOut("weight", because: "its taps are turned round") {
      return context.constant(turned(value, shape.map { $0.constant! }), "turned")
    }
    let source = context.alias(context.input("weight"), weight)
    let result = context.temporary("turned", context.program[source].dtype, shape)
    try context.map("turn", to: result) { (params, axes) throws(Diagnostic) in
      let taps = weight.indices.dropFirst(2).map { axes[$0] * Dim(-1) + .dim(weight[$0] - 1) }
      let group: Index = groups == 1 ? .constant(0) : axes[0].dividedFloor(by: outputs)
      let within: Index = groups == 1 ? axes[0] : axes[0].modulo(outputs)
      return params.load(source, [group * channels + axes[1], within] + taps)
    }
    return result
  }

  private func turned(_ value: Tensor, _ shape: [Int]) -> Tensor {
    let (from, outputs) = (value.doubles, weight[1].constant!)
    let taps = shape[2...].reduce(1, *)
    var result: [Double] = []
    result.reserveCapacity(from.count)
    for m in 0..<shape[0] {
      for c in 0..<shape[1] {
        let plane = (m / outputs * shape[1] + c) * outputs + m % outputs
        for tap in (0..<taps).reversed() { result.append(from[plane * taps + tap]) }
      }
    }
    return Tensor(value.dtype, shape, result)
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// The loops over a pooling window: output axes, window axes, and where in the input they read.
private struct PoolLoops {
  var axes: [Axis]
  var window: [Axis]
  var index: [Index]
  /// Whether the position lies in the data; `nil` when it always does.
  var guarded: Scalar?
  /// Whether the position lies in the data or its padding; `nil` when it always does.
  var padded: Scalar?

  init(_ pool: some Pooling, in context: inout LoweringContext) throws(Diagnostic) {
    let (input, output) = (context.fact("x").shape, context.outputFact().shape)
    let rank = input.count
    let spatial = rank - 2
    let window = try pool.window(rank: spatial)
    context.requireRoom(for: window, in: Array(input[2...]))
    let pads = (0..<spatial).map { window.padding($0, input: input[2 + $0]) }
    axes = output.enumerated().map { Axis($0, $1) }
    self.window = (0..<spatial).map { Axis(rank + $0, Dim(pool.kernelSizes[$0])) }
    let positions = (0..<spatial).map { axis in
      Index.axis(2 + axis) * Dim(window.strides[axis]) + Index.axis(rank + axis) * Dim(window.dilations[axis])
        + .dim(-pads[axis].low)
    }
    index = [.axis(0), .axis(1)] + positions
    if pads.contains(where: { $0.low != 0 || $0.high != 0 }) || pool.ceilMode {
      guarded = .inside(positions.enumerated().map { (index: $1, extent: input[2 + $0]) })
    }
    if pool.ceilMode {
      padded = .inside(
        positions.enumerated().map { (axis, position) in
          (index: position + .dim(pads[axis].low), extent: input[2 + axis] + pads[axis].low + pads[axis].high)
        }
      )
    }
  }
}

extension MaxPool: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let loops = try PoolLoops(self, in: &context)
    let x = context.input("x")
    let dtype = context.program[x].dtype.widened
    let least: Scalar = dtype.isFloat ? .number(-.infinity, dtype) : .integer(dtype.integerBounds.low, dtype)
    var params = KernelParams()
    let element = params.load(x, loops.index)
    let value = loops.guarded.map { .select($0, element, least) } ?? element
    let identity = loops.axes.map { Index.axis($0.id) }
    let stages: [LoopNest.Stage] = [
      .reduce(.max, axes: loops.window, value: value),
      .store(param: params.write(context.output()), index: identity, axes: [], value: .stage(0)),
    ]
    context.append("max_pool", params, .loopNest(LoopNest(loops.axes, stages)))
    if returnIndices { lowerIndices(loops, value, params, in: &context) }
  }

  /// The position of the first greatest element, from its number in the window.
  private func lowerIndices(
    _ loops: PoolLoops,
    _ value: Scalar,
    _ read: KernelParams,
    in context: inout LoweringContext
  ) {
    let shape = context.fact("x").shape
    let spatial = loops.window.count
    var params = KernelParams()
    _ = params.read(context.input("x"))
    // Unpacks the window's number, last axis first.
    var rest = Scalar.stage(0)
    var taps = [Scalar](repeating: .stage(0), count: spatial)
    for axis in (0..<spatial).reversed() {
      let extent = Scalar.index(.dim(loops.window[axis].extent), .int64)
      taps[axis] = .binary(.fmod, rest, extent)
      rest = rest / extent
    }
    func number(_ index: Index) -> Scalar { .index(index, .int64) }
    let places = (0..<spatial).map { axis -> Scalar in
      let origin = loops.index[2 + axis].substituting([loops.window[axis].id: .constant(0)])
      let step = Scalar.integer(dilations.isEmpty ? 1 : dilations[axis], .int64)
      guard loops.guarded != nil else { return number(origin) + taps[axis] * step }
      // Padding wins only when all of the data is as small; then the data's first position is meant.
      let first = (step - .integer(1, .int64) - number(origin)) / step
      return number(origin) + .binary(.max, taps[axis], first) * step
    }
    var linear = number(.axis(0) * shape[1] + .axis(1))
    let order = columnMajorIndices ? Array((0..<spatial).reversed()) : Array(0..<spatial)
    for axis in order { linear = linear * number(.dim(shape[2 + axis])) + places[axis] }
    let stages: [LoopNest.Stage] = [
      .reduce(.argMax, axes: loops.window, value: value),
      .store(param: params.write(context.output(1)), index: loops.axes.map { .axis($0.id) }, axes: [], value: linear),
    ]
    context.append("max_pool_indices", params, .loopNest(LoopNest(loops.axes, stages)))
  }
}

extension AvgPool: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let loops = try PoolLoops(self, in: &context)
    let x = context.input("x")
    let dtype = context.program[x].dtype.widened
    var params = KernelParams()
    let element = params.load(x, loops.index)
    let value = loops.guarded.map { .select($0, element, .number(0, dtype)) } ?? element
    let counted = excludePaddingFromAverage ? loops.guarded : loops.padded
    var stages: [LoopNest.Stage] = [.reduce(.sum, axes: loops.window, value: value)]
    var mean = Scalar.stage(0) * .number(1 / Double(kernelSizes.reduce(1, *)), dtype)
    if let counted {
      stages.append(
        .reduce(.sum, axes: loops.window, value: .select(counted, .number(1, dtype), .number(0, dtype)))
      )
      mean = .stage(0) / .stage(1)
    }
    let identity = loops.axes.map { Index.axis($0.id) }
    stages.append(.store(param: params.write(context.output()), index: identity, axes: [], value: mean))
    context.append("avg_pool", params, .loopNest(LoopNest(loops.axes, stages)))
  }
}

import MLCCore

/// A convolution of any spatial rank as a plain reduction over channels and window; `x` holds its padding. Axes 0, 1,
/// 2… are those of the output; the channel and window axes follow.
struct ConvolutionLoops {
  /// Parameters and shapes of x, weight and output.
  var x: (param: Int, shape: [Dim])
  var weight: (param: Int, shape: [Dim])
  var output: (param: Int, shape: [Dim])
  var strides: [Int], dilations: [Int]
  var groups: Int
  /// Whether x and weight are bytes, of which products are int32.
  var areBytes = false
  /// Over `accumulator`.
  var epilogue: Scalar

  var nest: LoopNest {
    let rank = output.shape.count
    let axes = output.shape.enumerated().map { Axis($0, $1) }
    let window = weight.shape.dropFirst().enumerated().map { Axis(rank + $0, $1) }
    let perGroup = output.shape[1].floorDiv(Dim(groups))
    let group: Index = groups == 1 ? .constant(0) : Index.axis(1).dividedFloor(by: perGroup)
    let positions = strides.indices.map { axis in
      Index.axis(2 + axis) * Dim(strides[axis]) + Index.axis(rank + 1 + axis) * Dim(dilations[axis])
    }
    var source = Scalar.load(param: x.param, [.axis(0), group * weight.shape[1] + .axis(rank)] + positions)
    var factor = Scalar.load(param: weight.param, [.axis(1)] + window.map { .axis($0.id) })
    if areBytes { (source, factor) = (.cast(source, .int32), .cast(factor, .int32)) }
    let value = epilogue.rewritten { if case .accumulator = $0 { .stage(0) } else { $0 } }
    return LoopNest(
      axes,
      [
        .reduce(.sum, axes: window, value: source * factor),
        .store(param: output.param, index: axes.map { .axis($0.id) }, axes: [], value: value),
      ]
    )
  }
}

extension Kernel {
  /// This convolution, which has no padding, as a loop nest, for the shapes that no strategy takes.
  func convolutionAsLoopNest(in program: KernelProgram) -> Kernel {
    guard case .convolution(let c) = body else { return self }
    func operand(_ param: Int) -> (param: Int, shape: [Dim]) { (param, program[params[param].tensor].shape) }
    let spans = c.spans
    let loops = ConvolutionLoops(
      x: operand(c.x),
      weight: operand(c.weight),
      output: operand(c.output),
      strides: spans.map(\.stride),
      dilations: spans.map(\.dilation),
      groups: c.groups,
      areBytes: program[params[c.x].tensor].dtype.bitWidth == 8,
      epilogue: c.epilogue
    )
    return Kernel(family, params, .loopNest(loops.nest), origins: origins)
  }
}

extension LoopNest {
  /// Parameter 1 as parameter 0, of `shape` and `dtype`, with `padding` elements that are `fill` before and after each
  /// spatial axis.
  static func padding(
    _ padding: [(low: Dim, high: Dim)],
    around shape: [Dim],
    _ dtype: DType,
    fill: Int = 0
  ) -> LoopNest {
    let axes = (shape[..<2] + padding.enumerated().map { $1.low + shape[2 + $0] + $1.high }).enumerated()
      .map { Axis($0, $1) }
    let places = padding.enumerated().map { Index.axis(2 + $0) + .dim(-$1.low) }
    let bounds = places.enumerated().map { (index: $1, extent: shape[2 + $0]) }
    let element = Scalar.load(param: 0, [.axis(0), .axis(1)] + places)
    let value = Scalar.select(.inside(bounds), element, .number(Double(fill), dtype.widened))
    return LoopNest(axes, [.store(param: 1, index: axes.map { .axis($0.id) }, axes: [], value: value)])
  }
}

extension Scalar {
  /// Whether each index lies in `0 ..< extent`.
  package static func inside(_ bounds: [(index: Index, extent: Dim)]) -> Scalar {
    let zero = Scalar.integer(0, .int64)
    let tests = bounds.flatMap { (index, extent) -> [Scalar] in
      let position = Scalar.index(index, .int64)
      return [
        .compare(.greaterEqual, position, zero), .compare(.less, position, .index(.dim(extent), .int64)),
      ]
    }
    return tests.dropFirst().reduce(tests[0]) { .binary(.logicalAnd, $0, $1) }
  }
}

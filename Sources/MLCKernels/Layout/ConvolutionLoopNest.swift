import MLCCore

extension Kernel {
  /// This convolution as a plain reduction over channels and window, for the shapes that no strategy takes. Positions
  /// outside the input contribute nothing.
  func convolutionAsLoopNest(in program: KernelProgram) -> Kernel {
    guard case .convolution(let c) = body else { return self }
    let weight = program[params[c.weight].tensor].shape
    let (input, output) = (program[params[c.x].tensor].shape, program[params[c.output].tensor].shape)
    let axes = output.enumerated().map { Axis($0, $1) }
    let window = [Axis(4, weight[1]), Axis(5, weight[2]), Axis(6, weight[3])]
    let perGroup = output[1].floorDiv(Dim(c.groups))
    let group: Index = c.groups == 1 ? .constant(0) : Index.axis(1).dividedFloor(by: perGroup)
    let row = Index.axis(2) * Dim(c.strides.h) + Index.axis(5) * Dim(c.dilations.h) + .constant(-c.top)
    let column = Index.axis(3) * Dim(c.strides.w) + Index.axis(6) * Dim(c.dilations.w) + .constant(-c.left)
    let x = Scalar.load(param: c.x, [.axis(0), group * weight[1] + .axis(4), row, column])
    let w = Scalar.load(param: c.weight, [.axis(1), .axis(4), .axis(5), .axis(6)])
    let dtype = program[params[c.x].tensor].dtype.widened
    let zero: Scalar = dtype.isFloat ? .constant(0, dtype) : .integer(0, dtype)
    let isPadded = c.top != 0 || c.bottom != 0 || c.left != 0 || c.right != 0
    let product = isPadded ? .select(.inside([(row, input[2]), (column, input[3])]), x * w, zero) : x * w
    let value = c.epilogue.rewritten { if case .accumulator = $0 { .stage(0) } else { $0 } }
    let nest = LoopNest(
      axes,
      [
        .reduce(.sum, axes: window, value: product),
        .store(param: c.output, index: axes.map { .axis($0.id) }, axes: [], value: value),
      ]
    )
    return Kernel(family, params, .loopNest(nest), origins: origins)
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

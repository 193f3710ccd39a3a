import MLCCore
import MLCGraph
import MLCOps

/// Operators that give the same elements under another shape: no kernel.
extension MLCOps.Reshape: Lowerable {
  /// Where data decides the shape, the elements are copied: nothing else says that there are as many. Where sizes do,
  /// one of 0 that stands for an extent of `x` is refused.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    if let target = context.fact("shape").elements {
      for (extent, source) in mayCopy(context.fact("x").shape, under: target) {
        context.requireAtLeast(.smallest(1, source), extent)
      }
      return context.setOutput(to: x)
    }
    if context.outputFact().rank == 0 { return context.setOutput(to: x) }
    let output = context.output()
    let (source, result) = (context.program[x].shape, context.program[output].shape)
    try bindExtents(from: source, result, in: &context)
    context.requireEqual(source.reduce(1, *), result.reduce(1, *))
    context.copyElements(of: x, to: output)
  }

  private func bindExtents(
    from source: [Dim],
    _ result: [Dim],
    in context: inout LoweringContext
  ) throws(Diagnostic) {
    let shape = context.input("shape")
    let reader = context.program
    /// Extent `axis` as it is given: −1 where it takes what is left.
    func given(_ axis: Int, _ params: inout KernelParams) -> Scalar {
      let number = reader.integer(shape, [.constant(axis)], &params)
      guard !allowZero, axis < source.count else { return number }
      return .select(.compare(.equal, number, .integer(0, .int64)), .size(source[axis]), number)
    }
    for (axis, extent) in result.enumerated() {
      try context.bind(extent, "extent\(axis)", bound: nil) { (params) throws(Diagnostic) in
        let own = given(axis, &params)
        var others = Scalar.integer(1, .int64)
        for other in result.indices where other != axis { others = others * given(other, &params) }
        let divisor = Scalar.select(.compare(.equal, others, .integer(0, .int64)), .integer(1, .int64), others)
        let rest = Scalar.size(source.reduce(1, *)) / divisor
        return .select(.compare(.equal, own, .integer(-1, .int64)), rest, own)
      }
    }
  }
}
extension Squeeze: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let shape = context.fact("x").shape
    for axis in try normalized(axes: axes, rank: shape.count, Self.name) { context.requireEqual(shape[axis], 1) }
    context.setOutput(to: context.input("x"))
  }
}
extension ExpandDims: Lowerable {
  package func lower(in context: inout LoweringContext) { context.setOutput(to: context.input("x")) }
}

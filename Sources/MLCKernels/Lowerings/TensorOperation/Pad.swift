import MLCCore
import MLCGraph
import MLCOps

extension Pad: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, pad) = (context.input("x"), context.input("pad"))
    let (shape, dtype) = (context.program[x].shape, context.program[x].dtype.widened)
    let amounts = context.fact("pad").elements
    let first = shape.count - (context.program[pad].shape[0].constant ?? 0) / 2
    let padded = shape.indices.filter { axis in
      axis >= first && amounts.map { ($0[2 * (axis - first)], $0[2 * (axis - first) + 1]) != (0, 0) } ?? true
    }
    if amounts == nil { try bindExtents(padded, first, in: &context) }
    let fill = context.optionalInput("constant_val")
    let output = context.output()
    let result = context.program[output].shape
    if mode != "constant" {
      for axis in padded { context.requireAtLeast(1, shape[axis], whereThereAre: [result[axis]]) }
    }
    let reader = context.program
    try context.map("pad", to: output) { (params, axes) throws(Diagnostic) in
      var index = axes
      for axis in padded {
        let slot = 2 * (axis - first)
        let position =
          amounts.map { axes[axis] + .dim(-$0[slot]) }
          ?? .value(.index(axes[axis], .int64) - reader.integer(pad, [.constant(slot)], &params))
        index[axis] = mode == "constant" ? position : source(position, shape[axis])
      }
      let value = params.load(x, index)
      guard mode == "constant", !padded.isEmpty else { return value }
      let outside =
        fill.map { tensor in
          let place = reader[tensor].shape.map { _ in Index.constant(0) }
          return reader.element(tensor, &params, place, in: reader[tensor].shape)
        } ?? .number(0, dtype)
      return .select(.inside(padded.map { (index: index[$0], extent: shape[$0]) }), value, outside)
    }
  }

  /// Computes the extents of amounts that data decides.
  private func bindExtents(_ padded: [Int], _ first: Int, in context: inout LoweringContext) throws(Diagnostic) {
    let pad = context.input("pad")
    let (shape, result) = (context.fact("x").shape, context.outputFact().shape)
    let reader = context.program
    for axis in padded {
      let slot = 2 * (axis - first)
      try context.bind(result[axis], "extent\(axis)", bound: nil) { (params) throws(Diagnostic) in
        .size(shape[axis]) + reader.integer(pad, [.constant(slot)], &params)
          + reader.integer(pad, [.constant(slot + 1)], &params)
      }
    }
  }

  /// The element of an axis of extent `n` that stands at `position`, outside which it goes on by `mode`.
  private func source(_ position: Index, _ n: Dim) -> Index {
    let number = Scalar.index(position, .int64)
    switch mode {
    case "replicate":
      return .value(.binary(.max, .binary(.min, number, .size(n - 1)), .integer(0, .int64)))
    case "wrap": return position.modulo(Dim.largest(n, 1))
    default:
      let period = Dim.largest(2 * (n - 1), 1)
      let phase = Scalar.index(position.modulo(period), .int64)
      return .value(.binary(.min, phase, .size(period) - phase))
    }
  }
}

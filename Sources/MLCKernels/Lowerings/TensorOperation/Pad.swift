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
      if mode != "constant", let last = padded.last, let amounts {
        let slot = 2 * (last - first)
        let (position, around) = (axes[last] + .dim(-amounts[slot]), [amounts[slot], amounts[slot + 1]])
        return value(x, index, last, position, shape[last], around, &params)
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

  /// The element at `index`, whose place on `axis`, of extent `n`, is `position` where that is inside: what is copied
  /// is told from what is repeated, `around` many elements before and after it.
  private func value(
    _ x: TensorID,
    _ index: [Index],
    _ axis: Int,
    _ position: Index,
    _ n: Dim,
    _ around: [Dim],
    _ params: inout KernelParams
  ) -> Scalar {
    func element(_ place: Index) -> Scalar {
      var index = index
      index[axis] = place
      return params.load(x, index)
    }
    let isBefore = Scalar.compare(.less, .index(position, .int64), .integer(0, .int64))
    let before = element(near(position, n, isBefore: true, around[0]))
    let after = element(near(position, n, isBefore: false, around[1]))
    return .select(.inside([(position, n)]), element(position), .select(isBefore, before, after))
  }

  /// `source`, for a `position` at most `count` before or after the axis.
  private func near(_ position: Index, _ n: Dim, isBefore: Bool, _ count: Dim) -> Index {
    guard let extent = n.constant, let count = count.constant, extent > 0 else { return source(position, n) }
    switch mode {
    case "replicate": return .constant(isBefore ? 0 : extent - 1)
    case "wrap" where count <= extent: return position + .constant(isBefore ? extent : -extent)
    case "reflect" where count < extent: return .constant(isBefore ? 0 : 2 * (extent - 1)) + position * -1
    default: return source(position, n)
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

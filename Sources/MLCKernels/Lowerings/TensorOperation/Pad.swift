import MLCCore
import MLCGraph
import MLCOps

extension Pad: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    guard let amounts = context.fact("pad").elements else {
      throw Diagnostic("lower.pad-amounts", "the amounts are not known before run time", kind: .unsupported)
    }
    let x = context.input("x")
    let (shape, dtype) = (context.program[x].shape, context.program[x].dtype.widened)
    let first = shape.count - amounts.count / 2
    let padded = shape.indices.filter {
      $0 >= first && (amounts[2 * ($0 - first)], amounts[2 * ($0 - first) + 1]) != (0, 0)
    }
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
        let position = axes[axis] + .dim(-amounts[2 * (axis - first)])
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

  /// The element of an axis of extent `n` that stands at `position`, outside which it goes on by `mode`.
  private func source(_ position: Index, _ n: Dim) -> Index {
    let number = Scalar.index(position, .int64)
    switch mode {
    case "replicate":
      return .value(.binary(.max, .binary(.min, number, .size(n - 1)), .integer(0, .int64)))
    case "wrap": return position.modulo(n)
    default:
      let period = Dim.largest(2 * (n - 1), 1)
      let phase = Scalar.index(position.modulo(period), .int64)
      return .value(.binary(.min, phase, .size(period) - phase))
    }
  }
}

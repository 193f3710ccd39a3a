import MLCCore
import MLCGraph
import MLCOps

extension BandPart: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    try context.lowerMatrices("band_part") { (diagonal, _) in
      let below = Scalar.compare(.greaterEqual, diagonal, .integer(-lower, .int64))
      let above = Scalar.compare(.lessEqual, diagonal, .integer(upper, .int64))
      switch (lower < 0, upper < 0) {
      case (true, true): return nil
      case (true, false): return above
      case (false, true): return below
      case (false, false): return .binary(.logicalAnd, below, above)
      }
    }
  }
}

extension Trilu: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let k = context.optionalInput("k")
    _ = context.output()
    let reader = context.program
    try context.lowerMatrices("trilu") { (diagonal, params) in
      let limit = k.map { tensor in
        reader.integer(tensor, reader[tensor].shape.map { _ in .constant(0) }, &params)
      }
      return .compare(upper ? .greaterEqual : .lessEqual, diagonal, limit ?? .integer(0, .int64))
    }
  }
}

extension LoweringContext {
  /// The elements of `x` where `keep` of `column − row` holds, else 0; all of them for `nil`.
  fileprivate mutating func lowerMatrices(
    _ family: String,
    _ keep: (Scalar, inout KernelParams) -> Scalar?
  ) throws(Diagnostic) {
    let x = input("x")
    let dtype = program[x].dtype
    try map(family, to: output()) { (params, axes) throws(Diagnostic) in
      let value = params.load(x, axes)
      let diagonal = Scalar.index(axes[axes.count - 1] + axes[axes.count - 2] * -1, .int64)
      guard let kept = keep(diagonal, &params) else { return value }
      return .select(kept, value, .number(0, dtype))
    }
  }
}
